-- The runs of the hits that a batch of an erasure takes, and the sessions of what stays of them (docs/read/visitor-data.md#erasing).

-- name: make_gone_table
create temporary table if not exists run_hit (
    position bigint not null, occurred_at timestamptz not null, visitor_id bigint not null, type hit_type not null,
    import_id bigint, pageview_key bigint, is_gone boolean not null
) on commit delete rows

-- name: make_taken_table
create temporary table if not exists taken_session (
    session_id bigint not null, visitor_id bigint not null, started_at timestamptz not null, ended_at timestamptz not null
) on commit delete rows

-- name: take_sessions
-- The sessions that lose hits now: all that are noted of these go together.
insert into taken_session
select distinct own.*
from (
    select visitor_id, occurred_at
    from visitor_erasure_hit
    where erasure = %(erasure)s
    order by occurred_at, position
    limit %(limit)s
) as taken
cross join lateral (
    select session_id, visitor_id, started_at, ended_at
    from session
    where session.site_id = %(site_id)s and session.visitor_id = taken.visitor_id
        and started_at <= taken.occurred_at
    order by started_at desc
    limit 1
) as own

-- name: collect_sessions
-- The sessions of their runs: without some of its hits a run can fall into several, and be short enough for one session. Of a
-- long run those that lie further away than these tell nothing more, as in projections/sql/session_forming.sql: it is cut by days.
insert into regrouped
with taken as materialized (
    select * from taken_session
),
member as materialized (
    with recursive run as (
        select
            session_id, visitor_id, started_at, ended_at, started_at - interval '73 hours 30 minutes' as since,
            ended_at + interval '49 hours 30 minutes' as until
        from taken
        union
        select near.session_id, near.visitor_id, near.started_at, near.ended_at, run.since, run.until
        from run
        cross join lateral (
            (
                select session_id, visitor_id, started_at, ended_at
                from session
                where session.site_id = %(site_id)s and session.visitor_id = run.visitor_id
                    and started_at < run.started_at
                order by started_at desc
                limit 1
            )
            union all
            (
                select session_id, visitor_id, started_at, ended_at
                from session
                where session.site_id = %(site_id)s and session.visitor_id = run.visitor_id
                    and started_at > run.started_at
                order by started_at
                limit 1
            )
        ) as near
        where near.started_at <= run.ended_at + interval '30 minutes'
            and near.ended_at >= run.started_at - interval '30 minutes'
            and near.started_at >= run.since and near.started_at <= run.until
            and not exists (
                select from session_mark as mark
                where mark.site_id = %(site_id)s and mark.visitor_id = run.visitor_id
                    and cutoff > least(run.ended_at, near.ended_at) and cutoff <= greatest(run.started_at, near.started_at)
            )
    )
    select distinct session_id from run
)
select -1, null::bigint, session.*
from member
join session on session.site_id = %(site_id)s and session.session_id = member.session_id

-- name: collect_hits
insert into run_hit
select
    hit.position, hit.occurred_at, hit.visitor_id, hit.type, hit.import_id, hit.pageview_key,
    taken_session.session_id is not null and exists (
        select from visitor_erasure_hit as noted
        where noted.erasure = %(erasure)s and noted.occurred_at = hit.occurred_at and noted.position = hit.position
    )
from regrouped
left join taken_session using (session_id)
cross join lateral (
    select *
    from hit
    where hit.site_id = regrouped.site_id and hit.visitor_id = regrouped.visitor_id
        and occurred_at >= regrouped.started_at and occurred_at <= regrouped.ended_at
        and hit.position <= %(projected)s
    offset 0
) as hit

-- name: place_hits
-- The runs of the hits that stay, and their sessions, as domain/traffic/session.py defines them.
insert into placed (kind, site_id, visitor_id, number, started_at, ended_at, target_id)
with followed as (
    select visitor_id, position, occurred_at, lag(occurred_at) over in_order as before
    from run_hit
    where not is_gone
    window in_order as (partition by visitor_id order by occurred_at, position)
),
numbered as materialized (
    select
        *,
        count(*) filter (
            where before is null or occurred_at > before + interval '30 minutes'
                or exists (
                    select from session_mark as mark
                    where mark.site_id = %(site_id)s and mark.visitor_id = followed.visitor_id
                        and cutoff > before and cutoff <= occurred_at
                )
        ) over (partition by visitor_id order by occurred_at, position) as run
    from followed
),
measured as (
    select
        visitor_id, run,
        until - least(
            since,
            (
                select min(mark.first_at)
                from session_mark as mark
                where mark.site_id = %(site_id)s and mark.visitor_id = span.visitor_id
                    and cutoff <= since and since <= mark.last_at + interval '30 minutes'
            )
        ) > interval '24 hours' as is_long
    from (
        select visitor_id, run, min(occurred_at) as since, max(occurred_at) as until
        from numbered
        group by visitor_id, run
    ) as span
)
select
    'again', %(site_id)s, visitor_id, position, occurred_at, occurred_at,
    min(position) over (partition by visitor_id, run, case when is_long then day_of(occurred_at) end)
from numbered
join measured using (visitor_id, run)

-- name: release_sessions
-- Sessions of the runs that stay as they are: all of their hits stay in them, and no others come.
with released as (
    delete from regrouped
    where not exists (
        select from run_hit
        left join placed on placed.number = run_hit.position
        where run_hit.visitor_id = regrouped.visitor_id
            and run_hit.occurred_at >= regrouped.started_at and run_hit.occurred_at <= regrouped.ended_at
            and placed.target_id is distinct from regrouped.session_id
    )
    and pageviews + custom_events + performance_measures + outbound_clicks + errors = (
        select count(*) from placed where placed.target_id = regrouped.session_id
    )
    returning session_id
)
delete from placed using released where placed.target_id = released.session_id

-- name: runs
-- The quarters of an hour from the first hit of each run to its last one, and the first position that goes.
select bucket_of(min(occurred_at)) as since, bucket_of(max(occurred_at)) + interval '15 minutes' as until,
    min(position) filter (where is_gone) as first_position
from (
    select *, count(*) filter (where occurred_at > before + interval '30 minutes') over in_order as run
    from (
        select visitor_id, position, occurred_at, is_gone, lag(occurred_at) over in_order as before
        from run_hit
        window in_order as (partition by visitor_id order by occurred_at, position)
    ) as followed
    window in_order as (partition by visitor_id order by occurred_at, position)
) as numbered
group by visitor_id, run
having bool_or(is_gone)

-- name: stretches
-- The quarters of an hour that the sessions touch, without gaps.
select lower(span) as since, upper(span) as until
from (
    select unnest(range_agg(tstzrange(bucket_of(started_at), bucket_of(ended_at) + interval '15 minutes'))) as span
    from regrouped
) as touched
