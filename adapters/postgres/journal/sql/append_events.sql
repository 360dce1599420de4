-- append_events
insert into event (stream, version, type, schema_version, data, recorded_at, user_id, key_prefix, request_id)
select
    %(stream)s, %(expected)s + entry.ordinality, entry.event ->> 'type', (entry.event ->> 'schema_version')::integer,
    entry.event -> 'data', %(recorded_at)s, %(user_id)s, %(key_prefix)s, %(request_id)s
from jsonb_array_elements(%(events)s) with ordinality as entry (event, ordinality)
where (select coalesce(max(version), 0) from event where stream = %(stream)s) = %(expected)s
order by entry.ordinality
returning position, version
