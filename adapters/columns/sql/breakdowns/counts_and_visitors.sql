-- counts_and_visitors
-- Grouped by value and visitor, and then by value: hashing twice is several times faster than count(distinct).
with each as (
    select coalesce({column}, '') as value, visitor_id, count(*) as count from ({source}) as counted group by 1, 2
),
total as (select value, sum(count)::bigint as count, count(*) as visitors from each group by value),
{page}
