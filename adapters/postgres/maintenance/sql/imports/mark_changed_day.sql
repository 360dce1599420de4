-- mark_changed_day
update day_summary_state
set state = 'changed', changed_at = now()
where site_id = %(site_id)s and day = %(since)s::timestamptz
