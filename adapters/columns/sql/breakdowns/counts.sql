-- counts
-- A bare column is grouped by the numbers that its values have in a file; unknown values and empty ones meet afterwards,
-- as do the referrers of a host, which is computed once for each of them rather than for each session.
with part as (
    select coalesce({shown}, '') as value, count
    from (select {column} as value, count(*) as count from ({source}) as counted group by 1)
    union all
    select unnest(rest."value"), unnest(rest.count)
    from (select from_json($rest, '{{"value":["VARCHAR"],"count":["BIGINT"]}}') as rest)
),
total as (select value, sum(count)::bigint as count from part group by value),
{page}
