-- counted_days
select day
from traffic_day
where site_id = %(site_id)s and state = 'counted'
    and day >= %(start)s and day <= %(end)s::timestamptz - interval '24 hours'
order by day
