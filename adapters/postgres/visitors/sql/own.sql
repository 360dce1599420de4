-- The hits of single persons, by the rule of domain/visits/subject.py. There is no index by users: all hits of a site are read.

-- name: projected
select position as projected from projection_checkpoint where name = 'reports'

-- name: first_and_last
select min(occurred_at) as start, max(occurred_at) as end from hit where site_id = %(site_id)s

-- name: user_days
select distinct
    (case when import_id is null then received_at else occurred_at end at time zone 'UTC')::date as day,
    import_id is not null as is_imported
from hit
where site_id = %(site_id)s and occurred_at >= %(since)s and occurred_at < %(until)s and user_id is not null

-- name: archives
select source from hit_import where site_id = %(site_id)s and position > 0 order by source

-- name: has_hashes
-- An archive keeps user ids as they are: those of a site that recognizes visitors for a time are 32 hexadecimal digits.
select exists (
    select from hit
    where site_id = %(site_id)s and occurred_at >= %(since)s and occurred_at < %(until)s
        and import_id is null and user_id ~ '^[0-9a-f]{32}$'
) as found

-- name: users_of_visit
-- views: visit
-- Two tell that there are several.
select distinct session.visitor_id, hit.user_id
from visit as session
join hit on hit.site_id = session.site_id and hit.occurred_at >= session.started_at
    and hit.occurred_at <= session.ended_at and hit.visitor_id = session.visitor_id
limit 4

-- name: bounds
select min(started_at) as start, max(started_at) as end from session where site_id = %(site_id)s

-- name: own_sessions
-- The sessions that began in a stretch of time and have hits of a person; `takes_unnamed` says whether hits without a user id
-- are theirs.
with candidate as (
    select session_id
    from session
    where site_id = %(site_id)s and visitor_id = any(%(visitors)s::bigint[])
        and started_at >= %(since)s::timestamptz and started_at < %(until)s::timestamptz
    union
    select own.session_id
    from hit
    cross join lateral (
        select session_id, started_at
        from session
        where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
        order by started_at desc
        limit 1
    ) as own
    where hit.site_id = %(site_id)s and hit.user_id = any(%(users)s::text[])
        and hit.occurred_at >= %(since)s::timestamptz
        and hit.occurred_at < %(until)s::timestamptz + interval '24 hours'
        and hit.position <= %(projected)s
        and own.started_at >= %(since)s::timestamptz and own.started_at < %(until)s::timestamptz
)
select session.*, counted.takes_unnamed, counted.own, counted.named, counted.own < counted.hits as is_shared
from candidate
join session on session.site_id = %(site_id)s and session.session_id = candidate.session_id
cross join lateral (
    select
        hits, not has_others as takes_unnamed, named, named + case when has_others then 0 else unnamed end as own
    from (
        select
            count(*) as hits,
            count(*) filter (where user_id = any(%(users)s::text[])) as named,
            count(*) filter (where user_id is null) as unnamed,
            count(*) filter (where user_id is not null and user_id <> all(%(users)s::text[])) > 0 as has_others
        from hit
        where hit.site_id = session.site_id and hit.visitor_id = session.visitor_id
            and occurred_at >= session.started_at and occurred_at <= session.ended_at
            and hit.position <= %(projected)s
    ) as hit
) as counted
where counted.own > 0
order by session.started_at, session.session_id

-- name: own_hits
-- views: own_hit as measurable, columns/export/with_engagement as own
select * from own order by occurred_at, position

-- name: own_hit
-- Some hits of a session that are a person's, behind a place in the order of their times.
select *
from hit
where hit.site_id = %(site_id)s and hit.visitor_id = %(visitor_id)s
    and occurred_at >= %(started_at)s and occurred_at <= %(ended_at)s and hit.position <= %(projected)s
    and (occurred_at, position) > (%(after_time)s::timestamptz, %(after_position)s::bigint)
    and (user_id = any(%(users)s::text[]) or user_id is null and %(takes_unnamed)s)
order by occurred_at, position
limit %(limit)s
