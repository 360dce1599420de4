-- erase_decisions
update event
set
    schema_version = %(erased)s,
    data = case when type = 'goal-defined' then jsonb_build_object('site_id', data -> 'site_id') else '{}' end
where stream = any(
    array(select stream from event where type = 'goal-defined' and (data ->> 'site_id')::bigint = %(site_id)s)
    || %(stream)s::text
)
and type <> 'site-deleted'
and schema_version <> %(erased)s
