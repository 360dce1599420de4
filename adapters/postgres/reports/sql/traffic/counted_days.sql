-- counted_days
select day
from day_summary_state
where site_id = %(site_id)s and state = 'counted'
    and day >= %(start)s and day <= %(end)s::timestamptz - interval '24 hours'
order by day
