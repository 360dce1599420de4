-- count_days
-- Sums of days that have been counted, and of the rows in the gaps between them. Sessions that reach into the period were
-- open at its beginning; a session of a later day that began before it is counted where it began.
with {gaps},
part as (
    select {summed_value} as value, count + case when day = %(first_day)s then open_at_start else 0 end as count
    from breakdown_day
    where site_id = %(site_id)s and dimension = {dimension} and day = any(%(days)s::timestamptz[])
    union all
    {rows_in_gaps}
),
counted as materialized (
    select value, sum(count)::bigint as count from part group by value having sum(count) > 0
),
{page}
