-- The sessions of runs that later hits belong to, folded once more into temporary tables.

-- name: tables
-- The projector's statements write tables of its names; `past_…` are as of the positions. None is emptied by the end
-- of a transaction: PostgreSQL would truncate all of them after each one that reads any.
create temporary table if not exists changed_session (session_id bigint primary key, day timestamptz);
create temporary table if not exists aside (position bigint primary key);
create temporary table if not exists past_session (like {stored}.session including indexes including defaults);
create temporary table if not exists past_conversion (like {stored}.conversion including indexes including defaults);
create temporary table if not exists traffic_bucket (like {stored}.traffic_bucket including indexes including defaults);
create temporary table if not exists conversion_bucket (like {stored}.conversion_bucket including indexes including defaults);
create temporary table if not exists conversion_day (like {stored}.conversion_day including indexes including defaults);
create temporary table if not exists past_error_session (
    message_id bigint, session_id bigint, first_at timestamptz, last_at timestamptz, now_first_at timestamptz
);
create temporary table if not exists later_hit (position bigint, visitor_id bigint, occurred_at timestamptz, type hit_type);
create temporary table if not exists session (like {stored}.session including indexes including defaults);
create temporary table if not exists conversion (like {stored}.conversion including indexes including defaults)

-- name: given
select %(later_since)s::timestamptz as later_since

-- name: bounds
-- views: growing
-- The first day that has changed sessions, and how many there are; and two numbers that grow with each new hit of these, and when another one goes
-- on after `later_since`.
select
    (select min(day) from changed_session) as changed_since, (select count(*) from changed_session) as sessions, growing.*
from growing

-- name: growing
-- views: at_midnight
select
    (
        select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0)
        from changed_session
        join session as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
    )::bigint as hits,
    coalesce(
        (select open_at_start from traffic_bucket where site_id = %(site_id)s and bucket = %(later_since)s), 0
    )
    + (select count(*) from at_midnight) as open_at_start

-- name: at_midnight
-- The sessions that begin just when all hits are later, and just after a midnight.
select *
from session
where site_id = %(site_id)s
    and started_at >= %(later_since)s::timestamptz
    and started_at < %(later_since)s::timestamptz + interval '30 minutes'
    and started_at < day_of(started_at) + interval '30 minutes'

-- name: is_current
-- with: given as own
-- views: past/touched, growing
-- Whether a replay up to the checkpoint holds now: no later hit came where earlier ones are, and none to a changed session.
select not exists (select from touched where last_position > %(checkpoint)s)
    and (hits, open_at_start) = (%(hits)s, %(open_at_start)s) as is_current
from growing

-- name: take_later_hits
-- with: given as own
-- views: past/touched, judged
-- The hits that are put aside, in quarters of an hour that have others, too.
insert into later_hit (position, visitor_id, occurred_at, type)
select position, visitor_id, occurred_at, type
from touched
cross join lateral (
    select *
    from judged
    where site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
        and is_aside and position <= %(checkpoint)s
        and occurred_at >= %(since)s and occurred_at < %(until)s
    offset 0
) as hit
limit %(limit)s

-- name: judged
-- views: past/arrived
-- Hits, and whether each is put aside: after the position, unless it is an arrival, which counts nevertheless.
select *, position > %(traffic)s and not (position <= %(last)s and origin = any(%(origins)s::text[])) as is_aside
from arrived

-- name: collect_changed_sessions
-- with: seed, near
-- views: sessions_followed as followed
-- with: numbered
-- The sessions, as they are now, of the runs that later hits belong to: later hits join sessions and cut them. Those of the later
-- hits that were taken; those that had begun before all hits are later, and went on; and those before the sessions that began
-- just then, which go on with a run only after a midnight. Sessions that began after that never were. Of a long run the
-- sessions that lie further away than these are as they were.
insert into changed_session
select session_id, day_of(started_at)
from numbered
where (visitor_id, run) in (
    select visitor_id, run from numbered where session_id in (select session_id from seed)
)

-- name: seed
-- views: at_midnight
select distinct its.session_id, its.visitor_id, its.started_at, its.ended_at
from later_hit as hit
-- A hit belongs to its visitor's latest session that starts at or before its time.
cross join lateral (
    select session_id, visitor_id, started_at, ended_at
    from session
    where session.site_id = %(site_id)s and session.visitor_id = hit.visitor_id and session.started_at <= hit.occurred_at
    order by session.started_at desc
    limit 1
) as its
union
select session_id, visitor_id, started_at, ended_at
from (
    select session_id, visitor_id, started_at, ended_at
    from session
    where site_id = %(site_id)s and %(later_since)s::timestamptz < %(until)s
        and started_at >= %(later_since)s::timestamptz - interval '24 hours' and started_at < %(later_since)s
        and ended_at >= %(later_since)s
    order by started_at desc
    limit coalesce(
        (select open_at_start from traffic_bucket where site_id = %(site_id)s and bucket = %(later_since)s), 0
    )
) as open
union
select before.session_id, before.visitor_id, before.started_at, before.ended_at
from at_midnight as after
cross join lateral (
    select session_id, visitor_id, started_at, ended_at
    from session
    where session.site_id = %(site_id)s and session.visitor_id = after.visitor_id
        and session.started_at < %(later_since)s
    order by session.started_at desc
    limit 1
) as before
where before.ended_at >= after.started_at - interval '30 minutes'

-- name: near
select distinct own.*
from seed
cross join lateral (
    select session_id, visitor_id, started_at, ended_at
    from session
    where session.site_id = %(site_id)s and session.visitor_id = seed.visitor_id
        and session.started_at >= seed.started_at - interval '73 hours 30 minutes'
        and session.started_at <= seed.ended_at + interval '49 hours 30 minutes'
    offset 0
) as own

-- name: sessions_followed
select
    *, started_at as at, session_id as position, lag(ended_at) over (partition by visitor_id order by started_at) as before
from near

-- name: numbered
-- In which run a session or a hit is: whether one begins at a time, after the one before of the same visitor.
select
    *, count(*) filter (
        where before is null or at > before + interval '30 minutes'
            or day_of(before) < day_of(at) and exists (
                select from session_mark
                where session_mark.site_id = %(site_id)s and session_mark.visitor_id = followed.visitor_id
                    and cutoff > before and cutoff <= at
            )
    ) over (partition by visitor_id order by at, position) as run
from followed

-- name: take_earlier_hits
-- with: old, stretch, earlier
-- views: hits_followed as followed, numbered
-- The other hits of changed sessions, with the sessions that they form without the later ones. The present extent of the sessions
-- holds all of them: of these stretches of time the hits are read once.
insert into slice (
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, signed_visitor_id, pathname, page_title, event_name, properties
)
with measured as (
    select
        *, min(at) over (partition by visitor_id, run) as since, max(at) over (partition by visitor_id, run) as until
    from numbered
),
cut as (
    select
        *,
        day_of(since) < day_of(until) and (
            until - since > interval '24 hours'
            or exists (
                select from session_mark
                where session_mark.site_id = %(site_id)s and session_mark.visitor_id = measured.visitor_id
                    and cutoff <= since and since <= last_at + interval '30 minutes'
                    and until - first_at > interval '24 hours'
            )
        ) as is_long
    from measured
)
select
    min(position) over (partition by visitor_id, run, case when is_long then day_of(at) end), position, site_id, visitor_id,
    occurred_at, type, user_id, signed_visitor_id, pathname, page_title, event_name, properties
from cut

-- name: old
select session.visitor_id, session.started_at, least(session.ended_at, %(later_since)s::timestamptz) as ended_at
from changed_session
join session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
where changed_session.session_id <= %(last)s and session.started_at < %(later_since)s

-- name: stretch
select lower(span) as since, upper(span) as until
from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from old) as merged

-- name: earlier
-- views: judged
select hit.*, hit.occurred_at as at
from stretch
cross join lateral (
    select *
    from judged
    where site_id = %(site_id)s and occurred_at >= stretch.since and occurred_at <= stretch.until
        and not is_aside and visitor_id in (select visitor_id from old)
    offset 0
) as hit
where exists (
    select from old
    where old.visitor_id = hit.visitor_id and old.started_at <= hit.occurred_at and old.ended_at >= hit.occurred_at
)
limit %(limit)s

-- name: hits_followed
select *, lag(at) over (partition by visitor_id order by at, position) as before from earlier

-- name: look_first_in_temporary
-- The projector's statements write temporary tables.
select set_config('search_path', 'pg_temp, ' || %(search_path)s, true)

-- name: keep_past
-- What has been folded is the past. The later hits that lie before the last arrival are remembered.
with kept as (
    insert into past_session select * from session
),
remembered as (
    insert into aside select position from later_hit where position <= %(last)s
)
insert into past_conversion select * from conversion

-- name: keep_error_sessions
-- Errors in changed sessions: when they occurred first as the sessions are now, and as they were.
insert into past_error_session (message_id, session_id, first_at, last_at, now_first_at)
select own.message_id, own.session_id, null::timestamptz, null::timestamptz, own.first_at
from (
    select distinct occurrence.message_id, occurrence.session_id
    from changed_session
    join session as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
    cross join lateral (
        select message_id, session_id
        from error_occurrence
        where error_occurrence.site_id = %(site_id)s and occurred_at >= its.started_at and occurred_at <= its.ended_at
            and error_occurrence.session_id = its.session_id
        offset 0
    ) as occurrence
    where its.errors > 0
) as pair
cross join lateral (
    select message_id, session_id, first_at
    from error_session
    where error_session.site_id = %(site_id)s and error_session.message_id = pair.message_id
        and error_session.session_id = pair.session_id
    offset 0
) as own
union all
select occurrence.message_id, slice.session_id, min(slice.occurred_at), max(slice.occurred_at), null
from slice
cross join lateral (
    select message_id
    from error_occurrence
    where error_occurrence.site_id = %(site_id)s and error_occurrence.occurred_at = slice.occurred_at
        and error_occurrence.position = slice.position
    offset 0
) as occurrence
where slice.type = 'error'
group by occurrence.message_id, slice.session_id

-- name: begin_added
-- What later hits have added to the sums comes next: these hits, and the changed sessions as they are now, less those of the
-- past, with their conversions.
with sessions as (delete from session_delta),
conversions as (delete from conversion_delta),
matched as (delete from matches),
folded as (delete from slice)
select

-- name: add_hits
insert into slice (position, site_id, visitor_id, occurred_at, type, again)
select position, %(site_id)s, visitor_id, occurred_at, type, false from later_hit

-- name: add_sessions
insert into regrouped
select 1, null::bigint, its.*
from changed_session
join session as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
union all
select -1, null::bigint, past_session.* from past_session

-- name: add_conversions
insert into conversion_delta (site_id, session_id, number, first_at, last_at, ended_at, was_first_at, was_last_at)
select its.site_id, its.session_id, its.number, its.first_at, its.last_at, its.ended_at, null::timestamptz, null::timestamptz
from changed_session
join conversion as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
where its.number = any(%(numbers)s)
union all
select site_id, session_id, number, null::timestamptz, null::timestamptz, null::timestamptz, first_at, last_at from past_conversion

-- name: analyze
analyze changed_session, aside, past_session, past_conversion, past_error_session, pg_temp.traffic_bucket, pg_temp.conversion_bucket

-- name: look_again
select set_config('search_path', %(search_path)s, true)
