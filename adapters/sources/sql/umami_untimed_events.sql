-- umami_untimed_events
-- Rows without a time, which stand before all others.
select event.event_id::text as event_id
from website_event as event
where event.website_id = %(website_id)s::uuid
    and (event.created_at is null or event.created_at = '-infinity')
order by event.created_at nulls first, event.event_id
