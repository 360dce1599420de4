-- umami_events
-- Rows as JSON, because columns differ between the versions of Umami. The newest rows are left to the next import: others
-- with an earlier time may not be committed yet.
select
    case when isfinite(event.created_at) then (extract(epoch from event.created_at) * 1000000)::bigint end as at,
    to_jsonb(event)::text as event,
    to_jsonb(session)::text as session,
    (
        select jsonb_agg(to_jsonb(data))::text
        from event_data as data
        where data.website_event_id = event.event_id
    ) as data
from website_event as event
left join session on session.session_id = event.session_id
where event.website_id = %(website_id)s::uuid
    and (event.created_at is null or event.created_at < now() - interval '1 minute')
    and (
        %(after)s::bigint is null
        or event.created_at > timestamptz '1970-01-01 00:00:00+00' + %(after)s::bigint * interval '1 microsecond'
    )
order by event.created_at nulls first, event.event_id
