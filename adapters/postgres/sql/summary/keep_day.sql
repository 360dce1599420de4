-- keep_day
update traffic_day
set state = 'counted'
where site_id = %(site_id)s and day = %(day)s and state = 'counting'
