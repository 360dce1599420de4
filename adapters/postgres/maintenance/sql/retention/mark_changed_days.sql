-- mark_changed_days
update day_summary_state
set state = 'changed', changed_at = now()
where site_id = %(site_id)s and day < %(before)s and state <> 'changed'
