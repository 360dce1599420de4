-- First conversions and paints by the buckets of a period.

-- name: first_conversions_of_selected
-- with: selection/selected
select width_bucket(first_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from conversion
join selected using (session_id)
where conversion.site_id = %(site_id)s and number = %(number)s
    and first_at >= %(start)s and first_at < %(end)s
    and conversion.ended_at >= %(start)s and conversion.ended_at < %(end)s::timestamptz + interval '24 hours'
group by 1

-- name: first_conversions
select width_bucket(first_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from conversion
where site_id = %(site_id)s and number = %(number)s
    and first_at >= %(start)s and first_at < %(end)s
    and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
group by 1

-- name: paints
-- views: selection/hit_inside
select
    width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece,
    percentile_disc(0.75) within group (order by lcp) as paint
from hit_inside as hit
where type = 'performance' and lcp is not null
group by 1

-- name: paints_of_selected
-- views: selection/selected, selection/hit_inside
select
    width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece,
    percentile_disc(0.75) within group (order by lcp) as paint
from hit_inside as hit
join selected on selected.visitor_id = hit.visitor_id
    and occurred_at >= selected.started_at and occurred_at <= selected.ended_at
where type = 'performance' and lcp is not null
group by 1
