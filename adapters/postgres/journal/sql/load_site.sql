-- load_site
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
