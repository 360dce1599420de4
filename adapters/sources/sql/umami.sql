-- Websites and events of Umami.

-- name: websites
select website_id::text, name from website where deleted_at is null order by name, website_id limit %(most)s

-- name: count
select count(*)
from website_event as event
where event.website_id = %(website_id)s::uuid
    and (event.created_at is null or event.created_at < now() - interval '1 minute')
    and (
        %(up_to)s::bigint is null or event.created_at is null
        or event.created_at <= timestamptz '1970-01-01 00:00:00+00' + %(up_to)s::bigint * interval '1 microsecond'
    )

-- name: events
-- Rows as JSON, because columns differ between the versions of Umami; to_json takes half the time of to_jsonb. The order
-- is that of Umami's own index, so that the first rows come at once. The newest rows are left to the next import: others
-- with an earlier time may not be committed yet.
select
    event.event_id::text as event_id,
    (extract(epoch from event.created_at) * 1000000)::bigint as at,
    to_json(event)::text as event,
    to_json(session)::text as session,
    (
        select json_agg(data)::text
        from event_data as data
        where data.website_event_id = event.event_id
    ) as data
from website_event as event
left join session on session.session_id = event.session_id
where event.website_id = %(website_id)s::uuid
    and event.created_at > coalesce(
        timestamptz '1970-01-01 00:00:00+00' + %(after)s::bigint * interval '1 microsecond', '-infinity'
    )
    and event.created_at < now() - interval '1 minute'
order by event.created_at, event.event_id

-- name: untimed_events
-- Rows without a time, which stand before all others.
select event.event_id::text as event_id
from website_event as event
where event.website_id = %(website_id)s::uuid
    and (event.created_at is null or event.created_at = '-infinity')
order by event.created_at nulls first, event.event_id
