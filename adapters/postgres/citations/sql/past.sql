-- The read models at an earlier position, in temporary tables.

-- name: check
-- Whether the server still answers.
select

-- name: look_last_in_temporary
-- Reports find the tables of the schema before temporary ones of the same names. They may read
-- views of the tables of the store, in a schema before them; temporary tables are like the tables themselves.
select
    nspname as schema,
    path[cardinality(path)] as stored,
    set_config('search_path', current_setting('search_path') || ', pg_temp', false) as search_path
from current_schemas(false) as path
join pg_class as read on read.oid = to_regclass('hit')
join pg_namespace on pg_namespace.oid = read.relnamespace

-- name: clear
truncate changed_session, aside, past_session, past_conversion, past_error_session, pg_temp.traffic_bucket,
    pg_temp.conversion_bucket, pg_temp.conversion_day, later_hit, slice, session_delta, matches, conversion_delta, regrouped,
    pg_temp.session, pg_temp.conversion

-- name: clear_working_tables
-- What only a replay itself needs.
truncate later_hit, slice, session_delta, matches, conversion_delta, regrouped, pg_temp.session, pg_temp.conversion

-- name: begin
-- Only temporary tables are written. The catalog knows them, and nothing waits until it is on the disk. Reports have a limit
-- of their own.
set transaction isolation level repeatable read;
set local synchronous_commit = off;
set local idle_in_transaction_session_timeout = '60s';
set local statement_timeout = '120s';
set local work_mem = '32MB'

-- name: state
-- with: later as own
-- views: touched
-- What decides whether and how the past can be answered: the positions of this snapshot, those that had been reached before
-- the moment of the question, and the first hit of the site that is left; an erasure of hits that the positions cover, after
-- these were named or at the same time. The clocks of the service and of the server may differ by seconds.
--
-- And what later hits have changed: `newest` is the last one; from `later_since` on, all hits are later; and `is_touched`
-- says whether there are some in the days around the span. `erased_at` and `numbers` tell whether an earlier replay still holds: the last
-- erasure, and the goals whose conversions the read models hold; others are matched by the reports.
select
    checkpoint.position as traffic, checkpoint.sessions,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    coalesce(before.traffic, 0) as traffic_before, coalesce(before.journal, 0) as journal_before,
    least(
        (select min(session_id) from session where site_id = %(site_id)s),
        -- Those of visitors who were erased: answers about other times stay.
        (select min(first_position) from hit_erasure where site_id = %(site_id)s and starts_with(reason, 'visitor '))
    ) as first_hit,
    erased.reason as erased, erased.since as erased_since, erased.until as erased_until,
    own.later_since,
    coalesce((select max(position) from day_position where site_id = %(site_id)s), 0) as newest,
    exists (select from touched)
        or exists (
            select from quarter_position
            where site_id = %(site_id)s and quarter >= own.later_since and quarter < %(until)s
        ) as is_touched,
    (
        select max(coalesce(finished_at, clock_timestamp()))::text from hit_erasure where site_id = %(site_id)s
    ) as erased_at,
    (
        select array_agg(number order by number)
        from goal_version
        where site_id = %(site_id)s and fill_from is null and set_aside is null
    ) as numbers
from projection_checkpoint as checkpoint
cross join own
left join lateral (
    select traffic, journal
    from position_minute
    where minute <= %(at)s::timestamptz - interval '65 seconds'
    order by minute desc
    limit 1
) as before on true
left join lateral (
    select reason, case when since > '-infinity' then since end as since, until
    from hit_erasure
    where site_id = %(site_id)s
        and first_position <= %(traffic)s
        and coalesce(finished_at, 'infinity') >= %(at)s::timestamptz - interval '5 seconds'
        and (
            %(history)s
            or case
                -- Whole runs are noted: no other session, of any state, has to do with the visitor.
                when starts_with(reason, 'visitor ') then since < %(end)s::timestamptz and until > %(start)s::timestamptz
                else since < %(until)s::timestamptz and until > %(since)s::timestamptz
            end
        )
    order by until desc
    limit 1
) as erased on true
where checkpoint.name = 'reports'

-- name: later
select coalesce(
    (
        select quarter + interval '15 minutes'
        from quarter_position
        where site_id = %(site_id)s and first_position <= %(last)s
        order by quarter desc
        limit 1
    ),
    '9000-01-01Z'
) as later_since

-- name: given
select %(later_since)s::timestamptz as later_since

-- name: touched
-- Quarters of an hour around the span with hits of both sides: from the `later_since` of `own` on, all are later.
select quarter, last_position
from own
cross join day_position
join quarter_position using (site_id)
where site_id = %(site_id)s and position > %(traffic)s
    and quarter >= day and quarter < day + interval '24 hours'
    and last_position > %(traffic)s and quarter < later_since
    and quarter > %(since)s::timestamptz - interval '15 minutes' and quarter < %(until)s

-- name: end_writing
set transaction read only

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
-- views: touched, growing
-- Whether a replay up to the checkpoint holds now: no later hit came where earlier ones are, and none to a changed session.
select not exists (select from touched where last_position > %(checkpoint)s)
    and (hits, open_at_start) = (%(hits)s, %(open_at_start)s) as is_current
from growing

-- name: take_later_hits
-- with: given as own
-- views: touched, judged
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
-- views: arrivals/arrived
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
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, signed_visitor_id, pathname, page_title, event_name, properties,
    {first_hit_attributes}
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
    occurred_at, type, user_id, signed_visitor_id, pathname, page_title, event_name, properties,
    {first_hit_attributes}
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
