-- load_stream
select position, stream, version, type, schema_version, data::text as data, recorded_at, user_id, key_prefix, request_id
from event
where stream = %(stream)s
order by version
