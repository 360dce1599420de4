-- touch_days
update traffic_day
set state = 'touched', touched_at = now()
where site_id = %(site_id)s and day < %(before)s and state <> 'touched'
