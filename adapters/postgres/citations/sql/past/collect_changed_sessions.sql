-- collect_changed_sessions
-- The sessions, as they are now, of the runs that later hits belong to: later hits join sessions and cut them. Those of the later
-- hits that were taken; those that had begun before all hits are later, and went on; and those before the sessions that began
-- just then, which go on with a run only after a midnight. Sessions that began after that never were. Of a long run the
-- sessions that lie further away than these are as they were.
insert into changed_session
with seed as materialized (
    select distinct its.session_id, its.visitor_id, its.started_at, its.ended_at
    from later_hit as hit
    {session_of_hit}
    union
    select session_id, visitor_id, started_at, ended_at
    from (
        select session_id, visitor_id, started_at, ended_at
        from {schema}.session
        where site_id = %(site_id)s and %(later_since)s::timestamptz < %(until)s
            and started_at >= %(later_since)s::timestamptz - interval '24 hours' and started_at < %(later_since)s
            and ended_at >= %(later_since)s
        order by started_at desc
        limit coalesce(
            (select open_at_start from {schema}.traffic_bucket where site_id = %(site_id)s and bucket = %(later_since)s), 0
        )
    ) as open
    union
    select before.session_id, before.visitor_id, before.started_at, before.ended_at
    from {schema}.session as after
    cross join lateral (
        select session_id, visitor_id, started_at, ended_at
        from {schema}.session
        where session.site_id = %(site_id)s and session.visitor_id = after.visitor_id
            and session.started_at < %(later_since)s
        order by session.started_at desc
        limit 1
    ) as before
    where after.site_id = %(site_id)s and {is_at_midnight} and before.ended_at >= after.started_at - interval '30 minutes'
),
near as materialized (
    select distinct own.*
    from seed
    cross join lateral (
        select session_id, visitor_id, started_at, ended_at
        from {schema}.session
        where session.site_id = %(site_id)s and session.visitor_id = seed.visitor_id
            and session.started_at >= seed.started_at - interval '73 hours 30 minutes'
            and session.started_at <= seed.ended_at + interval '49 hours 30 minutes'
        offset 0
    ) as own
),
followed as (
    select *, lag(ended_at) over (partition by visitor_id order by started_at) as before from near
),
numbered as materialized (
    select
        session_id, visitor_id, started_at,
        count(*) filter (where {begins}) over (partition by visitor_id order by started_at) as run
    from (select *, started_at as at from followed) as followed
)
select session_id, day_of(started_at)
from numbered
where (visitor_id, run) in (
    select visitor_id, run from numbered where session_id in (select session_id from seed)
)
