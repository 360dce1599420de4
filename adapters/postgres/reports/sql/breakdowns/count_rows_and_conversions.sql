-- count_rows_and_conversions
-- Grouped by value and session, then by visitor, and then by value: hashing is several times faster than count(distinct).
with selected as ({selection/sessions}), {owners},
reached as materialized (select session_id from selected where {reached}),
each as (select {value} as value, visitor_id, session_id, count(*) as count from {source} group by 1, 2, 3),
person as (
    select
        value, sum(count) as count, count(*) as sessions,
        count(*) filter (where session_id in (select session_id from reached)) as conversions
    from each
    group by value, visitor_id
),
counted as materialized (
    select
        value, sum(count)::bigint as count, count(*) as visitors, sum(sessions)::bigint as sessions,
        sum(conversions)::bigint as conversions
    from person
    group by value
),
{page_by_conversions}
