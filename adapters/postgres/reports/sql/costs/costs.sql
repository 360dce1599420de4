-- costs
-- For each group: the sessions that met it, and the strata of comparable sessions, equal ones as one with their number. The
-- views of all pages are read once for all groups.
with {sessions}, {members}, {first},
placed as materialized (
    select
        selected.session_id, {stretch} as stretch, (selected.started_at at time zone 'UTC')::date as day,
        coalesce(selected.entry_page, '') as entry_page, selected.device_type, conversion.first_at as converted_at
    from selected
    left join conversion on conversion.site_id = %(site_id)s and conversion.number = %(number)s
        and conversion.session_id = selected.session_id
),
met as materialized (
    select placed.*, first.owner, first.occurred_at as met_at, coalesce(hit.pathname, '') as page
    from first
    join placed using (session_id)
    cross join lateral (
        select pathname from hit where hit.position = first.position and hit.occurred_at = first.occurred_at offset 0
    ) as hit
),
view as materialized (
    select its.session_id, coalesce(hit.pathname, '') as page, min(hit.occurred_at) as seen_at
    from hit
    {selection/session_of_hit}
    where hit.site_id = %(site_id)s and hit.type = 'pageview'
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s::timestamptz + interval '24 hours'
        and coalesce(hit.pathname, '') in (select page from met)
        and {selection/projected}
    group by 1, 2
),
tallied as materialized (
    select
        stretch, day, entry_page, device_type, page,
        count(*) filter (where converted_at is null or converted_at > seen_at) as sessions,
        count(*) filter (where converted_at > seen_at) as converted
    from view
    join placed using (session_id)
    group by 1, 2, 3, 4, 5
),
own as materialized (
    select
        owner, stretch, day, entry_page, device_type, view.page,
        count(*) filter (where converted_at is null or converted_at > seen_at) as sessions,
        count(*) filter (where converted_at > seen_at) as converted
    from met
    join view using (session_id)
    group by 1, 2, 3, 4, 5, 6
),
exposed as materialized (
    select
        owner, stretch, day, entry_page, device_type, page,
        count(*) filter (where converted_at is null or converted_at > since) as sessions,
        count(*) filter (where converted_at > since) as converted
    from (
        select met.*, least(met_at, seen_at) as since
        from met
        left join view using (session_id, page)
    ) as compared
    group by 1, 2, 3, 4, 5, 6
),
stratum as (
    select
        owner, stretch, exposed.sessions as met, exposed.converted as met_converted,
        tallied.sessions - coalesce(own.sessions, 0) as others,
        tallied.converted - coalesce(own.converted, 0) as others_converted
    from exposed
    join tallied using (stretch, day, entry_page, device_type, page)
    left join own using (owner, stretch, day, entry_page, device_type, page)
)
select owner, stretch, met, met_converted, others, others_converted, count(*) as times
from stratum
where met > 0 and others > 0
group by 1, 2, 3, 4, 5, 6
union all
select owner, null, count(*), count(converted_at), null, null, null from met group by owner
