-- counts_and_visitors
-- Grouped by value and visitor, and then by value: hashing twice is several times faster than count(distinct).
with part as (
    select coalesce({column}, '') as value, visitor_id, 1 as count from ({source}) as counted
    union all
    select unnest(rest."value"), unnest(rest.visitor), unnest(rest.count)
    from (select from_json($rest, '{{"value":["VARCHAR"],"visitor":["BIGINT"],"count":["BIGINT"]}}') as rest)
),
each as (select value, visitor_id, sum(count)::bigint as count from part group by value, visitor_id),
total as (select value, sum(count)::bigint as count, count(*) as visitors from each group by value),
{page}
