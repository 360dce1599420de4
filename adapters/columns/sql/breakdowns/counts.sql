-- counts
-- A bare column is grouped by the numbers that its values have in a file; unknown values and empty ones meet afterwards,
-- as do the referrers of a host, which is computed once for each of them rather than for each session.
with total as (
    select coalesce({shown}, '') as value, sum(count)::bigint as count
    from (select {column} as value, count(*) as count from ({source}) as counted group by 1)
    group by 1
),
{page}
