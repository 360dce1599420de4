-- One batch of the erasure of the hits of a person: some hits with all that is derived of them (docs/visitor-data.md#erasing).

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
-- long run those that lie further away than these tell nothing more, as in projections/sql/slices.sql: it is cut by days.
insert into regrouped
with recursive run as (
    select
        session_id, visitor_id, started_at, ended_at, started_at - interval '73 hours 30 minutes' as since,
        ended_at + interval '49 hours 30 minutes' as until
    from taken_session
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
select -1, null::bigint, session.*
from (select distinct session_id from run) as run
join session on session.site_id = %(site_id)s and session.session_id = run.session_id

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

-- name: note_erasure
insert into hit_erasure (site_id, reason, first_position, since, until)
values (
    %(site_id)s, 'visitor ' || %(erasure)s::text || ' ' || %(since)s::timestamptz::text, %(first_position)s, %(since)s, %(until)s
)
on conflict (site_id, reason) do update set
    first_position = least(hit_erasure.first_position, excluded.first_position),
    until = greatest(hit_erasure.until, excluded.until), finished_at = null

-- name: finish_notes
update hit_erasure
set finished_at = clock_timestamp()
where site_id = %(site_id)s and starts_with(reason, 'visitor ' || %(erasure)s::text) and finished_at is null

-- name: messages
select distinct message_id
from regrouped
join error_occurrence using (site_id, session_id)
where occurred_at >= regrouped.started_at and occurred_at <= regrouped.ended_at and errors > 0

-- name: retire_new_messages
update traffic_bucket
set new_messages = new_messages - retired.messages
from (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    group by 1
) as retired
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = retired.bucket

-- name: count_new_messages
-- Messages whose first occurrence is gone are new in another quarter of an hour.
update traffic_bucket
set new_messages = new_messages + counted.messages
from (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    group by 1
) as counted
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = counted.bucket

-- name: erase_measures
-- A measure goes with its pageview.
delete from engagement
where site_id = %(site_id)s and pageview_key = any(array(select pageview_key from run_hit where is_gone))
    and not exists (
        select from hit as kept
        where kept.site_id = %(site_id)s and kept.pageview_key = engagement.pageview_key
            and not exists (
                select from visitor_erasure_hit as noted
                where noted.erasure = %(erasure)s and noted.occurred_at = kept.occurred_at
                    and noted.position = kept.position
            )
    )

-- name: erase_hits
delete from hit
using run_hit
where is_gone and hit.position = run_hit.position and hit.occurred_at = run_hit.occurred_at

-- name: erase_occurrences
delete from error_occurrence
using run_hit
where is_gone and error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = any(%(message_ids)s)
    and error_occurrence.occurred_at = run_hit.occurred_at and error_occurrence.position = run_hit.position

-- name: erase_sightings
delete from error_sighting
using run_hit
where is_gone and error_sighting.site_id = %(site_id)s
    and error_sighting.occurred_at = run_hit.occurred_at and error_sighting.position = run_hit.position

-- name: remove_error_sessions
delete from error_session
using regrouped
where error_session.site_id = %(site_id)s and error_session.message_id = any(%(message_ids)s)
    and error_session.session_id = regrouped.session_id

-- name: move_occurrences
update error_occurrence
set session_id = placed.target_id
from placed
where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = any(%(message_ids)s)
    and error_occurrence.occurred_at = placed.started_at and error_occurrence.position = placed.number

-- name: move_sightings
update error_sighting
set session_id = placed.target_id
from placed
where error_sighting.site_id = %(site_id)s
    and error_sighting.occurred_at = placed.started_at and error_sighting.position = placed.number

-- name: write_error_sessions
insert into error_session (site_id, message_id, session_id, first_at, last_at)
select site_id, message_id, session_id, min(occurred_at), max(occurred_at)
from error_occurrence
where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    and session_id in (select target_id from placed)
group by site_id, message_id, session_id

-- name: subtract_hits
update traffic_bucket
set
    pageviews = traffic_bucket.pageviews - gone.pageviews, custom_events = traffic_bucket.custom_events - gone.custom_events,
    performance_measures = traffic_bucket.performance_measures - gone.performance_measures,
    outbound_clicks = traffic_bucket.outbound_clicks - gone.outbound_clicks, errors = traffic_bucket.errors - gone.errors
from (
    select
        bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors
    from run_hit
    where is_gone
    group by 1
) as gone
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = gone.bucket

-- name: lower_quarter_positions
-- Only where a hit that went was the first or the last one: to look through a quarter of an hour takes long on a large site.
with counted as materialized (
    select quarter, kept.first_position, kept.last_position
    from (
        select distinct quarter
        from run_hit
        join quarter_position on site_id = %(site_id)s and quarter = bucket_of(occurred_at)
        where is_gone and (
            position <= first_position or position >= last_position
            or not exists (
                select from traffic_bucket
                where traffic_bucket.site_id = %(site_id)s and bucket = quarter
                    and pageviews + custom_events + performance_measures + outbound_clicks + errors > 0
            )
        )
    ) as touched
    cross join lateral (
        select min(position) as first_position, max(position) as last_position
        from hit
        where hit.site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
            and position + 0 <= %(projected)s
    ) as kept
),
emptied as (
    delete from quarter_position
    using counted
    where quarter_position.site_id = %(site_id)s and quarter_position.quarter = counted.quarter
        and counted.last_position is null
)
update quarter_position
set first_position = counted.first_position, last_position = counted.last_position
from counted
where quarter_position.site_id = %(site_id)s and quarter_position.quarter = counted.quarter
    and counted.last_position is not null

-- name: lower_day_positions
with counted as materialized (
    select day, (
        select max(last_position)
        from quarter_position
        where site_id = %(site_id)s and quarter >= day and quarter < day + interval '24 hours'
    ) as position
    from (select distinct day_of(occurred_at) as day from run_hit where is_gone) as touched
),
emptied as (
    delete from day_position
    using counted
    where day_position.site_id = %(site_id)s and day_position.day = counted.day and counted.position is null
)
update day_position
set position = counted.position
from counted
where day_position.site_id = %(site_id)s and day_position.day = counted.day and day_position.position > counted.position

-- name: remove_empty_buckets
delete from traffic_bucket
where site_id = %(site_id)s and bucket >= %(since)s and bucket < %(until)s
    and pageviews = 0 and custom_events = 0 and performance_measures = 0 and outbound_clicks = 0 and errors = 0
    and new_messages = 0 and sessions = 0 and open_at_start = 0

-- name: remove_empty_conversion_buckets
delete from conversion_bucket
where site_id = %(site_id)s and bucket >= %(since)s and bucket < %(until)s and conversions = 0 and open_at_start = 0

-- name: remove_empty_conversion_days
delete from conversion_day
where site_id = %(site_id)s and day >= day_of(%(since)s) and day < %(until)s and conversions = 0 and open_at_start = 0

-- name: erase_marks
-- A mark goes with the last hit of the rest of its run.
delete from session_mark
where site_id = %(site_id)s and visitor_id in (select visitor_id from run_hit)
    and not exists (
        select from hit
        where hit.site_id = session_mark.site_id and hit.visitor_id = session_mark.visitor_id
            and occurred_at >= cutoff and occurred_at <= last_at + interval '30 minutes'
    )

-- name: reduce_ledger
-- Rows of imports are left out for another reason from now on, so that a verification of the import adds up.
with gone as materialized (
    select import_id, (occurred_at at time zone 'UTC')::date::text as day, type::text as type, count(*) as rows
    from run_hit
    where is_gone and import_id is not null
    group by 1, 2, 3
),
reduced as (
    update import_ledger
    set rows = import_ledger.rows - gone.rows
    from gone
    where import_ledger.import_id = gone.import_id and import_ledger.day = gone.day
        and import_ledger.type = gone.type and import_ledger.reason = ''
)
insert into import_ledger as kept (site_id, import_id, day, type, reason, rows)
select %(site_id)s, import_id, day, type, %(reason)s, rows from gone
on conflict (import_id, day, type, reason) do update set rows = kept.rows + excluded.rows

-- name: count_gone
update visitor_erasure
set
    visits = visitor_erasure.visits + gone.visits, hits = visitor_erasure.hits + gone.hits, errors = visitor_erasure.errors + gone.errors,
    measures = visitor_erasure.measures + %(measures)s
from (
    select
        count(*) as hits, count(*) filter (where type = 'error') as errors,
        (
            select count(*)
            from regrouped
            where exists (
                select from run_hit as of_visit
                where of_visit.is_gone and of_visit.visitor_id = regrouped.visitor_id
                    and of_visit.occurred_at >= regrouped.started_at and of_visit.occurred_at <= regrouped.ended_at
            )
        ) as visits
    from run_hit
    where is_gone
) as gone
where erasure = %(erasure)s

-- name: forget_gone
delete from visitor_erasure_hit
using run_hit
where erasure = %(erasure)s and is_gone
    and visitor_erasure_hit.occurred_at = run_hit.occurred_at and visitor_erasure_hit.position = run_hit.position

-- name: forget_missing
-- Of the hits that are the next ones to go, those that others have erased: retention, another erasure, or an import that was
-- taken back.
delete from visitor_erasure_hit as noted
using (
    select occurred_at, position
    from visitor_erasure_hit
    where erasure = %(erasure)s
    order by occurred_at, position
    limit %(limit)s
) as next
where noted.erasure = %(erasure)s and noted.occurred_at = next.occurred_at and noted.position = next.position
    and not exists (
        select from hit where hit.position = noted.position and hit.occurred_at = noted.occurred_at
    )

-- name: has_noted
select exists (select from visitor_erasure_hit where erasure = %(erasure)s) as noted
