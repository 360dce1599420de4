-- read_events
select position, stream, version, type, schema_version, data::text as data, recorded_at, user_id, key_prefix, request_id
from event
where position > %(after)s
order by position
limit %(limit)s
