-- Sessions one by one.

-- name: listed
-- views: of_period as sessions, following
-- A session lasts a day at most, so that the index of the starts says where to begin and where to end.
select * from following order by started_at desc, session_id desc limit %(most)s

-- name: listed_of_visitor
-- views: of_visitor as sessions, following
select * from following order by started_at desc, session_id desc limit %(most)s

-- name: following
-- Those that follow a session of a list, or all.
select *
from sessions
where started_at <= coalesce(%(after_start)s::timestamptz, 'infinity')
    and (started_at, session_id)
        < (coalesce(%(after_start)s::timestamptz, 'infinity'), coalesce(%(after_id)s::bigint, 9223372036854775807))

-- name: of_period
select *
from session
where site_id = %(site_id)s and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(end)s
    and ended_at >= %(start)s

-- name: of_visitor
-- views: of_period
-- A visitor as reports count them: a signed user on any browser, or a browser without one.
select * from of_period where visitor_id = %(visitor)s and signed_visitor_id is null
union all
select * from of_period where signed_visitor_id = %(visitor)s

-- name: named
select * from session where site_id = %(site_id)s and session_id = any(%(session_ids)s::bigint[])

-- name: session_with
-- A hit belongs to its visitor's latest session that starts at or before its time.
select session.*
from hit
cross join lateral (
    select *
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as session
where hit.position = %(position)s and hit.site_id = %(site_id)s
    and hit.position <= (select position from projection_checkpoint where name = 'reports')

-- name: trail
-- with: step
-- views: shown_step as measurable, columns/export/with_engagement as shown
select shown.*, counted.total from (select count(*) as total from step) as counted left join shown on true order by number

-- name: step
-- views: selection/projected_hit
-- A hit belongs to the session of its visitor that spans its time.
select
    hit.*,
    row_number() over (order by occurred_at, position) as number,
    occurred_at - lag(occurred_at) over (order by occurred_at, position) as since_last
from session
cross join lateral (
    select *
    from projected_hit as hit
    where hit.site_id = session.site_id and hit.visitor_id = session.visitor_id
        and occurred_at >= session.started_at and occurred_at <= session.ended_at
        and (%(until)s::timestamptz is null or (occurred_at, position) <= (%(until)s, %(position)s))
        and type <> 'performance'
    -- Planned for itself.
    offset 0
) as hit
where session.site_id = %(site_id)s and session.session_id = %(session_id)s

-- name: shown_step
-- with: step
select *
from step
where number > coalesce(%(skipped)s, (select count(*) from step) - %(most)s)
order by number
limit %(most)s
