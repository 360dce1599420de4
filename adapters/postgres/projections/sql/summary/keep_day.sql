-- keep_day
update day_summary_state
set state = 'counted'
where site_id = %(site_id)s and day = %(day)s and state = 'counting'
