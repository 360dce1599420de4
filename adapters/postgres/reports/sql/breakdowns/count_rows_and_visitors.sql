-- count_rows_and_visitors
-- Grouped by value and visitor, and then by value: hashing twice is several times faster than count(distinct).
with selected as ({selection/sessions}), {owners},
each as (select {value} as value, visitor_id, count(*) as count from {source} group by 1, 2),
counted as materialized (
    select value, sum(count)::bigint as count, count(*) as visitors from each group by value
),
{page}
