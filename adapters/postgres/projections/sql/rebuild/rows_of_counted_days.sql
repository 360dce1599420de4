-- rows_of_counted_days
-- Only days that both sets have counted can be compared.
select {columns}
from {table} as own
join {day_summary_state} as live using (site_id, day)
join {copied_day_summary_state} as other using (site_id, day)
where live.state = 'counted' and other.state = 'counted'
