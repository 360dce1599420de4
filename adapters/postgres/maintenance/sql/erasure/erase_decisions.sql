-- erase_decisions
update event
set
    schema_version = %(erased)s,
    -- What tells which goals, funnels and firings a site had, and which cell has to hear of its deletion.
    data = coalesce(
        case
            when type in ('goal-defined', 'funnel-defined', 'alert-fired') then jsonb_set('{}', '{site_id}', data -> 'site_id')
            when type = 'site-placed' then jsonb_set('{}', '{cell}', data -> 'cell')
        end,
        '{}'
    )
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
and type <> 'site-deleted'
and schema_version <> %(erased)s
