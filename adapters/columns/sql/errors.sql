-- The names of errors, and their price: sessions with and without an error that reach a goal, from files.

-- name: messages
-- Messages by their occurrences: grouped by message and session, and then by message.
select value, sum(count)::bigint as count, count(*) as sessions, max(last_seen) as last_seen
from (
    select error_message as value, session_id, count(*) as count, max(occurred_at) as last_seen from hits group by 1, 2
)
group by value

-- name: names
with page as (select * from listed where is_chosen order by count desc, value limit $limit offset $offset),
everything as (
    select count(*) filter (where is_chosen) as messages, coalesce(sum(count), 0)::bigint as count from listed
)
select everything.messages, everything.count, page.value, page.count, page.sessions, epoch_us(page.last_seen)
from everything
left join page on true
order by page.count desc, page.value

-- name: costs
-- For each group: the sessions that met it, and the strata of comparable sessions, equal ones as one with their number. Cells
-- are numbered by those that met an error, so that all others are left out early and none is compared by its texts again.
with converted as materialized (
    select session_id, min(epoch_us(occurred_at)) as converted_at from matched group by session_id
),
considered as materialized (
    select
        session_id, entry_page, device_type, converted_at, make_timestamp(started_at)::date as day,
        case
            when $deploys = '[]' then 0
            else len(list_filter(from_json($deploys, '["BIGINT"]'), lambda mark: mark <= started_at))
        end as stretch
    from (
        select
            session_id, epoch_us(started_at) as started_at, coalesce(entry_page, '') as entry_page, device_type,
            converted_at
        from sessions
        left join converted using (session_id)
        where started_at >= $start
    )
),
sighting as materialized (
    select owner, session_id, coalesce(pathname, '') as path, epoch_us(occurred_at) as met_at
    from (
        select unnest(one.owner) as owner, unnest(one.session) as session_id, unnest(one.position) as position
        -- Not as a constant, which the planner would read and copy again and again.
        from (
            select from_json(given, '{"owner":["INTEGER"],"session":["BIGINT"],"position":["BIGINT"]}') as one
            from (select unnest([$sightings]) as given)
        )
    ) as sighting
    join (select * from hit where type = 'error') as hit using (session_id, position)
),
kind as materialized (
    select *, row_number() over ()::integer as kind
    from (
        select distinct stretch, day, entry_page, device_type
        from considered
        semi join sighting using (session_id)
    )
),
page as materialized (
    select path, row_number() over ()::integer as page from (select distinct path from sighting)
),
placed as materialized (
    select session_id, kind, converted_at
    from considered
    join kind using (stretch, day, entry_page, device_type)
),
met as materialized (
    select owner, session_id, kind, page, met_at, converted_at
    from sighting
    join placed using (session_id)
    join page using (path)
),
view as materialized (
    select session_id, kind, page, min(seen_at) as seen_at, any_value(converted_at) as converted_at
    from (
        select session_id, coalesce(pathname, '') as path, epoch_us(occurred_at) as seen_at
        from hit
        where type = 'pageview'
    ) as hit
    join placed using (session_id)
    join page using (path)
    semi join met using (kind, page)
    group by session_id, kind, page
),
tallied as (
    select
        kind, page, count(*) filter (where converted_at is null or converted_at > seen_at) as sessions,
        count(*) filter (where converted_at > seen_at) as converted
    from view
    group by kind, page
),
own as (
    select
        owner, view.kind, view.page,
        count(*) filter (where view.converted_at is null or view.converted_at > seen_at) as sessions,
        count(*) filter (where view.converted_at > seen_at) as converted
    from met
    join view using (session_id)
    group by owner, view.kind, view.page
),
exposed as (
    select
        owner, kind, page, count(*) filter (where converted_at is null or converted_at > since) as sessions,
        count(*) filter (where converted_at > since) as converted
    from (
        select met.*, least(met_at, seen_at) as since
        from met
        left join view using (session_id, page)
    ) as compared
    group by owner, kind, page
),
stratum as (
    select
        owner, stretch, exposed.sessions as met, exposed.converted as met_converted,
        tallied.sessions - coalesce(own.sessions, 0) as others,
        tallied.converted - coalesce(own.converted, 0) as others_converted
    from exposed
    join kind using (kind)
    join tallied using (kind, page)
    left join own using (owner, kind, page)
)
select owner, stretch, met, met_converted, others, others_converted, count(*) as times
from stratum
where met > 0 and others > 0
group by all
union all
select owner, null, count(*), count(converted_at), null, null, null from met group by owner
