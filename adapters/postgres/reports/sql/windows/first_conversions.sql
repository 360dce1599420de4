-- first_conversions
select width_bucket(first_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from conversion
where site_id = %(site_id)s and number = %(number)s
    and first_at >= %(start)s and first_at < %(end)s
    and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
group by 1
