-- costs
-- For each group: the sessions that met it, and the strata of comparable sessions, equal ones as one with their number. Cells
-- are numbered by those that met an error, so that all others are left out early and none is compared by its texts again.
-- Sessions that no file covers have negative ids: files can hold earlier states of them.
with rest as materialized (
    select from_json(
        given.rest,
        '{{"sighting":{{"owner":["INTEGER"],"session":["BIGINT"],"position":["BIGINT"]}},"session":{{"id":["BIGINT"],"started_at":["BIGINT"],"entry_page":["VARCHAR"],"device_type":["VARCHAR"],"converted_at":["BIGINT"]}},"view":{{"session":["BIGINT"],"page":["VARCHAR"],"at":["BIGINT"]}},"met":{{"owner":["INTEGER"],"session":["BIGINT"],"page":["VARCHAR"],"at":["BIGINT"]}}}}'
    ) as it
    -- Not as a constant, which the planner would read and copy again and again.
    from (select unnest([$rest]) as rest) as given
),
session as materialized (
    select
        session_id, entry_page, device_type, converted_at, make_timestamp(started_at)::date as day,
        case
            when $deploys = '[]' then 0
            else len(list_filter(from_json($deploys, '["BIGINT"]'), lambda mark: mark <= started_at))
        end as stretch
    from (
        select
            session_id, epoch_us(started_at) as started_at, coalesce(entry_page, '') as entry_page, device_type,
            epoch_us(goal_first[list_position(goals, $goal)]) as converted_at
        from ({sessions}) as session
        where started_at >= $start
        union all
        select
            -unnest(it.session.id), unnest(it.session.started_at), unnest(it.session.entry_page),
            unnest(it.session.device_type), unnest(it.session.converted_at)
        from rest
    )
),
sighting as materialized (
    select owner, session_id, coalesce(pathname, '') as path, epoch_us(occurred_at) as met_at
    from (
        select
            unnest(it.sighting.owner) as owner, unnest(it.sighting.session) as session_id,
            unnest(it.sighting.position) as position
        from rest
    ) as sighting
    join (select * from read_parquet($hit_files) where type = 'error') as hit using (session_id, position)
    union all
    select unnest(it.met.owner), -unnest(it.met.session), unnest(it.met.page), unnest(it.met."at") from rest
),
kind as materialized (
    select *, row_number() over ()::integer as kind
    from (
        select distinct stretch, day, entry_page, device_type
        from session
        semi join sighting using (session_id)
    )
),
page as materialized (
    select path, row_number() over ()::integer as page from (select distinct path from sighting)
),
placed as materialized (
    select session_id, kind, converted_at
    from session
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
        from read_parquet($hit_files)
        where type = 'pageview'
        union all
        select -unnest(it.view.session), unnest(it.view.page), unnest(it.view."at") from rest
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
