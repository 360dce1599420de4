-- Events of the journal.

-- name: append_events
insert into event (stream, version, type, schema_version, data, recorded_at, user_id, key_prefix, request_id)
select
    %(stream)s, %(expected)s + entry.ordinality, entry.event ->> 'type', (entry.event ->> 'schema_version')::integer,
    entry.event -> 'data', %(recorded_at)s, %(user_id)s, %(key_prefix)s, %(request_id)s
from jsonb_array_elements(%(events)s) with ordinality as entry (event, ordinality)
where (select coalesce(max(version), 0) from event where stream = %(stream)s) = %(expected)s
order by entry.ordinality
returning position, version

-- name: prove_events
select
    entry.event ->> 'type' as type, (entry.event ->> 'schema_version')::integer as schema_version,
    (entry.event -> 'data')::text as data
from jsonb_array_elements(%(events)s) with ordinality as entry (event, ordinality)
order by entry.ordinality

-- name: read_events
select position, stream, version, type, schema_version, data::text as data, recorded_at, user_id, key_prefix, request_id
from event
where position > %(after)s
order by position
limit %(limit)s

-- name: load_stream
select position, stream, version, type, schema_version, data::text as data, recorded_at, user_id, key_prefix, request_id
from event
where stream = %(stream)s
order by version

-- name: load_site
select position, stream, version, type, schema_version, data::text as data, recorded_at, user_id, key_prefix, request_id
from event
where stream = any(
    array(
        select stream from event where type = 'goal-defined' and (data ->> 'site_id')::bigint = %(site_id)s
        union all
        select stream from event where type = 'funnel-defined' and (data ->> 'site_id')::bigint = %(site_id)s
        union all
        select stream from event where type = 'alert-fired' and (data ->> 'site_id')::bigint = %(site_id)s
    )
    || %(streams)s::text[]
)
order by position

-- name: discard_event
update event
set
    schema_version = %(erased)s,
    data = case
        when type in ('goal-defined', 'funnel-defined') and data ? 'site_id' then jsonb_build_object('site_id', data -> 'site_id')
        when type = 'site-placed' and data ? 'cell' then jsonb_build_object('cell', data -> 'cell')
        else '{}'
    end
where stream = %(stream)s and version = %(version)s

-- name: next_identifier
select nextval(%(sequence)s::regclass) as id
