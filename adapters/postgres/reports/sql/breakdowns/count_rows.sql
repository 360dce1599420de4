-- count_rows
-- The values of the sessions or hits that are the source.
with selected as ({selection/sessions}), {owners},
counted as materialized (select {value} as value, count(*) as count from {source} group by 1),
{page}
