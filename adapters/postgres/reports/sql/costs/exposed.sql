-- exposed
-- For each group: the sessions that met it, as they are compared from their first view of the page of the error on, and their
-- own views of all pages on which it was met first.
with {sessions},
member as materialized (
    select owner, fingerprint from unnest(%(owners)s::text[], %(fingerprints)s::text[]) as part (owner, fingerprint)
),
first as (
    select distinct on (owner, session_id) owner, session_id, occurred_at, position
    from error_sighting
    join member using (fingerprint)
    where site_id = %(site_id)s
        and occurred_at >= %(start)s and occurred_at < %(end)s::timestamptz + interval '24 hours'
    order by owner, session_id, occurred_at, position
),
met as materialized (
    select
        first.owner, selected.session_id, first.occurred_at, coalesce(hit.pathname, '') as page, selected.visitor_id,
        selected.started_at, selected.ended_at, {stretch} as stretch,
        (selected.started_at at time zone 'UTC')::date as day, coalesce(selected.entry_page, '') as entry_page,
        selected.device_type, conversion.first_at as converted_at
    from first
    join selected using (session_id)
    join hit on hit.position = first.position and hit.occurred_at = first.occurred_at
    left join conversion on conversion.site_id = %(site_id)s and conversion.number = %(number)s
        and conversion.session_id = selected.session_id
),
view as materialized (
    select one.session_id, coalesce(hit.pathname, '') as page, min(hit.occurred_at) as seen_at
    from (select distinct session_id, visitor_id, started_at, ended_at from met) as one
    cross join lateral (
        select pathname, occurred_at
        from hit
        where hit.site_id = %(site_id)s and hit.type = 'pageview' and hit.visitor_id = one.visitor_id
            and hit.occurred_at >= one.started_at and hit.occurred_at <= one.ended_at
            and hit.position >= one.session_id
            and hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')
            and not exists (
                select
                from session as later
                where later.site_id = %(site_id)s and later.visitor_id = one.visitor_id
                    and later.session_id > one.session_id and later.session_id <= hit.position
            )
    ) as hit
    group by 1, 2
),
compared as (
    select
        'met' as kind, owner, stretch, day, entry_page, device_type, met.page, converted_at,
        least(met.occurred_at, its.seen_at) as since
    from met
    left join view as its on its.session_id = met.session_id and its.page = met.page
    union all
    select
        'own', owner, stretch, day, entry_page, device_type, view.page, converted_at, view.seen_at
    from met
    join view using (session_id)
    where exists (select from met as same where same.owner = met.owner and same.page = view.page)
)
select
    kind, owner, stretch, day, entry_page, device_type, page,
    count(*) filter (where converted_at is null or converted_at > since) as sessions,
    count(*) filter (where converted_at > since) as converted
from compared
group by kind, owner, stretch, day, entry_page, device_type, page
union all
select 'all', owner, null, null, null, null, null, count(*), count(converted_at) from met group by owner
