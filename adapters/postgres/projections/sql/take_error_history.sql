-- take_error_history
-- Later positions have been grouped with their slices.
insert into slice (session_id, position, site_id, occurred_at, type, event_name, properties, release, again)
select session_id, hit.position, hit.site_id, hit.occurred_at, hit.type, hit.event_name, hit.properties, hit.release, false
from error_occurrence
join hit on hit.position = error_occurrence.position and hit.occurred_at = error_occurrence.occurred_at
where (error_occurrence.site_id, message_id, error_occurrence.occurred_at, error_occurrence.position)
        > (%(after_site)s, %(after_message)s, %(after_time)s::timestamptz, %(after_position)s)
    and (error_occurrence.site_id, message_id, error_occurrence.occurred_at, error_occurrence.position)
        <= (%(last_site)s, %(last_message)s, %(last_time)s, %(last_position)s)
    and error_occurrence.position <= %(up_to)s
