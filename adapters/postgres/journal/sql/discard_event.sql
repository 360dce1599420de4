-- discard_event
update event
set
    schema_version = %(erased)s,
    data = case
        when type in ('goal-defined', 'funnel-defined') and data ? 'site_id' then jsonb_build_object('site_id', data -> 'site_id')
        when type = 'site-placed' and data ? 'cell' then jsonb_build_object('cell', data -> 'cell')
        else '{}'
    end
where stream = %(stream)s and version = %(version)s
