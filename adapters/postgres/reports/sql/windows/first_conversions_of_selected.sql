-- first_conversions_of_selected
with {selection/selected}
select width_bucket(first_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from conversion
join selected using (session_id)
where conversion.site_id = %(site_id)s and number = %(number)s
    and first_at >= %(start)s and first_at < %(end)s
    and conversion.ended_at >= %(start)s and conversion.ended_at < %(end)s::timestamptz + interval '24 hours'
group by 1
