-- costs
-- Where sessions met groups first, those in files among them; and the sessions that no file covers with their first views of
-- pages and these errors. Lists in one JSON text: rows would take several times as long to be handed over.
with {sessions}{owners}, {costs/members}, {costs/first},
placed as materialized (
    select
        selected.session_id, (extract(epoch from selected.started_at) * 1000000)::bigint as started_at,
        coalesce(selected.entry_page, '') as entry_page, selected.device_type,
        (extract(epoch from conversion.first_at) * 1000000)::bigint as converted_at
    from selected
    left join conversion on conversion.site_id = %(site_id)s and conversion.number = %(number)s
        and conversion.session_id = selected.session_id
    where selected.started_at >= %(start)s
),
seen as materialized (
    select session_id, coalesce(pathname, '') as page, (extract(epoch from min(occurred_at)) * 1000000)::bigint as seen_at
    from {source}
    where session_id in (select session_id from placed)
    group by 1, 2
),
met as (
    select
        first.owner, first.session_id, (extract(epoch from first.occurred_at) * 1000000)::bigint as met_at,
        coalesce(hit.pathname, '') as page
    from first
    join placed using (session_id)
    cross join lateral (
        select pathname from hit where hit.position = first.position and hit.occurred_at = first.occurred_at offset 0
    ) as hit
)
select json_build_object(
    'sighting', (
        select json_build_object(
            'owner', coalesce(json_agg(owner), '[]'), 'session', coalesce(json_agg(session_id), '[]'),
            'position', coalesce(json_agg(position), '[]')
        )
        from first
        where session_id not in (select session_id from placed)
    ),
    'session', (
        select json_build_object(
            'id', coalesce(json_agg(session_id), '[]'), 'started_at', coalesce(json_agg(started_at), '[]'),
            'entry_page', coalesce(json_agg(entry_page), '[]'), 'device_type', coalesce(json_agg(device_type), '[]'),
            'converted_at', coalesce(json_agg(converted_at), '[]')
        )
        from placed
    ),
    'view', (
        select json_build_object(
            'session', coalesce(json_agg(session_id), '[]'), 'page', coalesce(json_agg(page), '[]'),
            'at', coalesce(json_agg(seen_at), '[]')
        )
        from seen
    ),
    'met', (
        select json_build_object(
            'owner', coalesce(json_agg(owner), '[]'), 'session', coalesce(json_agg(session_id), '[]'),
            'page', coalesce(json_agg(page), '[]'), 'at', coalesce(json_agg(met_at), '[]')
        )
        from met
    )
)::text as rest
