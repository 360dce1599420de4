-- Sessions are formed: each hit of a slice of the log gets its session, at once or by the run of hits that it belongs to.

-- name: take_slice
-- The hits of most visitors are in order, and one look at the visitor's latest session says where they belong: all of them
-- go on with it, or all begin the next one. The hits of the others have no session yet. That visitors are distinct tells the
-- planner to hash them, and not the hits with all that is in these.
insert into slice
with hits as materialized (
    select site_id, visitor_id, min(position) as first_position, min(occurred_at) as first_at, max(occurred_at) as last_at
    from hit
    where position > %(after)s and position <= %(up_to)s and (%(share)s::integer is null or visitor_id & 1 = %(share)s)
    group by site_id, visitor_id
),
visitor as (
    select distinct on (hits.site_id, hits.visitor_id)
        hits.site_id, hits.visitor_id,
        case
            when hits.first_at >= latest.started_at and hits.last_at <= latest.ended_at + interval '30 minutes'
                and (
                    hits.last_at <= latest.ended_at
                    -- On one day all near hits are of one session, however long their run is.
                    or day_of(hits.last_at) = day_of(latest.started_at)
                    -- A session that goes on after midnight is the whole of its run unless it began just after one.
                    or latest.started_at >= day_of(latest.started_at) + interval '30 minutes'
                        and hits.last_at - latest.started_at <= interval '24 hours'
                        and not exists (
                            select from session_mark
                            where session_mark.site_id = hits.site_id and session_mark.visitor_id = hits.visitor_id
                                and cutoff > latest.ended_at and cutoff <= hits.last_at
                        )
                )
            then latest.session_id
            when (latest.session_id is null or hits.first_at > latest.ended_at + interval '30 minutes')
                and hits.last_at - hits.first_at <= interval '30 minutes'
                and day_of(hits.first_at) = day_of(hits.last_at)
            then hits.first_position
        end as sure_id
    from hits
    left join lateral (
        select session_id, started_at, ended_at
        from session
        where session.site_id = hits.site_id and session.visitor_id = hits.visitor_id
        order by started_at desc
        limit 1
    ) as latest on true
)
select
    sure_id, position, site_id, visitor_id, occurred_at, type, false, user_id, signed_visitor_id, pathname, page_title, event_name,
    properties, release
from hit
join visitor using (site_id, visitor_id)
where position > %(after)s and position <= %(up_to)s

-- name: has_late_hits
-- Asked first: to plan the statement that places them takes some milliseconds.
select exists (select from slice where session_id is null) as late

-- name: place_hits
-- The runs of the hits that have no session yet, of these and of the sessions around them. Of a long run the sessions that
-- lie further away than these tell nothing more: between two of them is a whole day. The hits of a session that has to be cut by
-- days are read; of all others the row says enough.
insert into placed (kind, site_id, visitor_id, number, started_at, ended_at, target_id)
with late as materialized (
    select site_id, visitor_id, position, occurred_at from slice where session_id is null
),
visitor as materialized (
    select site_id, visitor_id, min(occurred_at) as first_at, max(occurred_at) as last_at
    from late
    group by site_id, visitor_id
),
mark as materialized (
    select own.*
    from visitor
    cross join lateral (
        select site_id, visitor_id, cutoff, first_at, last_at
        from session_mark
        where session_mark.site_id = visitor.site_id and session_mark.visitor_id = visitor.visitor_id
        offset 0
    ) as own
),
part as (
    select near.*, true as is_session
    from visitor
    cross join lateral (
        select site_id, visitor_id, session_id as number, started_at, ended_at
        from session
        where session.site_id = visitor.site_id and session.visitor_id = visitor.visitor_id
            and started_at >= visitor.first_at - interval '73 hours 30 minutes'
            and started_at <= visitor.last_at + interval '49 hours 30 minutes'
        offset 0
    ) as near
    union all
    select site_id, visitor_id, position, occurred_at, occurred_at, false from late
),
followed as (
    select *, max(ended_at) over earlier as before
    from part
    window earlier as (
        partition by site_id, visitor_id
        order by started_at, ended_at, number rows between unbounded preceding and 1 preceding
    )
),
numbered as materialized (
    select
        *,
        count(*) filter (
            where before is null or started_at > before + interval '30 minutes'
                or exists (
                    select from mark
                    where mark.site_id = followed.site_id and mark.visitor_id = followed.visitor_id
                        and cutoff > before and cutoff <= started_at
                )
        ) over (partition by site_id, visitor_id order by started_at, ended_at, number) as run
    from followed
),
touched as (
    select site_id, visitor_id, run, min(started_at) as since, max(ended_at) as until
    from numbered
    group by site_id, visitor_id, run
    having not bool_and(is_session)
),
measured as materialized (
    select
        site_id, visitor_id, run,
        until - least(
            since,
            (
                select min(mark.first_at)
                from mark
                where mark.site_id = touched.site_id and mark.visitor_id = touched.visitor_id
                    and cutoff <= since and since <= mark.last_at + interval '30 minutes'
            )
        ) > interval '24 hours' as is_long
    from touched
),
member as materialized (
    select
        site_id, visitor_id, run, number, started_at, ended_at, is_session,
        case when is_long then day_of(started_at) end as day,
        is_session and is_long and day_of(started_at) < day_of(ended_at) as is_cut
    from numbered
    join measured using (site_id, visitor_id, run)
),
piece as (
    select
        case when is_session then 'session' else 'hit' end as kind, site_id, visitor_id, run, day, number, started_at,
        ended_at
    from member
    where not is_cut
    union all
    select distinct
        'again', member.site_id, member.visitor_id, run, day_of(own.occurred_at), own.position, own.occurred_at,
        own.occurred_at
    from member
    cross join lateral (
        select position, occurred_at
        from hit
        where hit.site_id = member.site_id and occurred_at >= member.started_at and occurred_at <= member.ended_at
            and visitor_id = member.visitor_id and position <= %(after)s
        offset 0
    ) as own
    where is_cut
)
select
    kind, site_id, visitor_id, number, started_at, ended_at,
    min(number) over (partition by site_id, visitor_id, run, day)
from piece
union all
select 'cut', site_id, visitor_id, number, started_at, ended_at, null from member where is_cut

-- name: keep_places
update slice
set session_id = placed.target_id
from placed
where placed.kind = 'hit' and slice.position = placed.number
