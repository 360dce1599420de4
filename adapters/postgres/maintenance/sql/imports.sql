-- Imports, and the taking back of one, which counts its days anew.

-- name: erase_traffic_buckets
delete from traffic_bucket
where site_id = %(site_id)s and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz

-- name: count_traffic_buckets
-- No session lasts longer than a day: those that are open on it started on it or on the day before.
insert into traffic_bucket (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors, new_messages,
    sessions, viewed, bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
)
with near as (
    select
        started_at, ended_at, floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
        view_of(pageviews) as view, bounce_of(pageviews, custom_events, outbound_clicks) as bounce
    from session
    where site_id = %(site_id)s
        and started_at >= %(day_before)s and started_at < %(until)s::timestamptz
),
part as (
    select
        bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        0 as new_messages, 0 as sessions, 0 as viewed, 0 as bounces, 0 as seconds,
        0 as open_at_start, 0 as open_at_start_viewed, 0 as open_at_start_bounces, 0 as open_at_start_seconds
    from hit
    where site_id = %(site_id)s and position <= %(projected)s
        and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
    group by 1
    union all
    select bucket_of(started_at), 0, 0, 0, 0, 0, 0, 1, view, bounce, seconds, 0, 0, 0, 0
    from near
    where started_at >= %(since)s::timestamptz
    union all
    select bucket, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, view, bounce, seconds
    from near
    cross join lateral buckets_open_at_start(started_at, ended_at) as bucket
    where bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
    union all
    select bucket_of(first_seen), 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from error_message
    where site_id = %(site_id)s and first_seen >= %(since)s::timestamptz and first_seen < %(until)s::timestamptz
)
select
    %(site_id)s, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks),
    sum(errors), sum(new_messages), sum(sessions), sum(viewed), sum(bounces), sum(seconds), sum(open_at_start),
    sum(open_at_start_viewed), sum(open_at_start_bounces), sum(open_at_start_seconds)
from part
group by bucket

-- name: erase_conversion_buckets
delete from conversion_bucket
where site_id = %(site_id)s and number = any(array(select number from goal_version where site_id = %(site_id)s))
    and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz

-- name: count_conversion_buckets
insert into conversion_bucket (site_id, number, bucket, conversions, open_at_start)
with near as ({conversions}),
part as (
    select number, bucket_of(first_at) as bucket, 1 as conversions, 0 as open_at_start
    from near
    where first_at >= %(since)s::timestamptz and first_at < %(until)s::timestamptz
    union all
    select number, bucket, 0, 1
    from near
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
)
select %(site_id)s, number, bucket, sum(conversions), sum(open_at_start)
from part
group by number, bucket

-- name: conversions
-- Conversions that can fall into the day, by the index that begins with their number.
select conversion.number, first_at, last_at
from (select distinct number from goal_version where site_id = %(site_id)s) as present
join conversion on conversion.site_id = %(site_id)s and conversion.number = present.number
    and ended_at >= %(since)s::timestamptz and ended_at < %(day_after)s

-- name: erase_conversion_days
delete from conversion_day
where site_id = %(site_id)s and number = any(array(select number from goal_version where site_id = %(site_id)s))
    and day = %(since)s::timestamptz

-- name: count_conversion_days
insert into conversion_day (site_id, number, day, conversions, open_at_start)
with near as ({conversions}),
part as (
    select number, 1 as conversions, 0 as open_at_start
    from near
    where day_of(first_at) = %(since)s::timestamptz
    union all
    select number, 0, 1
    from near
    where day_of(last_at) = %(since)s::timestamptz and day_of(first_at) < %(since)s::timestamptz
)
select %(site_id)s, number, %(since)s::timestamptz, sum(conversions), sum(open_at_start)
from part
group by number

-- name: begin_undo
update site_import set state = 'undoing' where import_id = %(import_id)s

-- name: stored_days
select distinct day from import_ledger where import_id = %(import_id)s and reason = '' and day <> '' order by day

-- name: projected
select position from projection_checkpoint where name = 'reports'

-- name: erase_hits
-- All hits that an import takes back are deleted by this statement, some of one day of its site at a time: a day
-- lies in one partition, so that places tell its rows apart.
delete from hit
where occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
    and ctid = any(array(
        select ctid
        from hit
        where site_id = %(site_id)s and import_id = %(import_id)s
            and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        limit %(limit)s
    ))

-- name: erase_sessions
-- The visitors of an import are its own, and so are their sessions. A session is erased when its first hit in the log,
-- whose position is its id, is gone; its conversions are erased with it.
with gone as (
    delete from session
    where ctid = any(array(
        select session.ctid
        from session
        left join lateral (
            select true as kept
            from hit
            where hit.position = session.session_id
                and hit.occurred_at >= session.started_at and hit.occurred_at <= session.ended_at
            limit 1
        ) as first on true
        where session.site_id = %(site_id)s
            and session.started_at >= %(since)s::timestamptz and session.started_at < %(until)s::timestamptz
            and first.kept is null
        limit %(limit)s
    ))
    returning site_id, session_id
),
without_conversions as (
    delete from conversion
    using gone
    where conversion.site_id = gone.site_id and conversion.session_id = gone.session_id
)
select count(*) as sessions from gone

-- name: erase_error_occurrences
delete from error_occurrence
where ctid = any(array(
    select error_occurrence.ctid
    from error_occurrence
    where site_id = %(site_id)s
        and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        and not exists (
            select from session
            where session.site_id = error_occurrence.site_id and session.session_id = error_occurrence.session_id
        )
    limit %(limit)s
))

-- name: erase_error_sightings
delete from error_sighting
where ctid = any(array(
    select error_sighting.ctid
    from error_sighting
    where site_id = %(site_id)s
        and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        and not exists (
            select from session
            where session.site_id = error_sighting.site_id and session.session_id = error_sighting.session_id
        )
    limit %(limit)s
))

-- name: recount_new_messages
-- A message whose first occurrences were imported is new on another day without them.
update traffic_bucket
set new_messages = coalesce(counted.messages, 0)
from traffic_bucket as kept
left join (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s
    group by 1
) as counted on counted.bucket = kept.bucket
where kept.site_id = %(site_id)s and kept.new_messages <> coalesce(counted.messages, 0)
    and traffic_bucket.site_id = kept.site_id and traffic_bucket.bucket = kept.bucket

-- name: error_messages
select message_id
from error_message
where site_id = %(site_id)s and message_id > %(after_message)s
    and first_seen < %(until)s::timestamptz and last_seen >= %(since)s::timestamptz
order by message_id
limit %(messages)s

-- name: note_erasure
-- An undoing that goes on after an interruption keeps what it noted first: some of its hits may be gone.
insert into hit_erasure (site_id, reason, first_position, since, until)
select %(site_id)s, 'import ' || %(import_id)s::text, coalesce(min(position), 0), %(since)s, %(until)s
from hit
where site_id = %(site_id)s and import_id = %(import_id)s and occurred_at >= %(since)s and occurred_at < %(until)s
on conflict (site_id, reason) do nothing

-- name: finish_erasure
update hit_erasure
set finished_at = statement_timestamp()
where site_id = %(site_id)s and reason = 'import ' || %(import_id)s::text

-- name: forget_ledger
delete from import_ledger where import_id = %(import_id)s

-- name: forget_import
delete from site_import where import_id = %(import_id)s

-- name: find
select * from site_import where site_id = %(site_id)s and format = %(format)s and source_key = %(source_key)s

-- name: begin
insert into site_import as known (site_id, format, source_key, source, state, started_at, changed_at)
values (%(site_id)s, %(format)s, %(source_key)s, %(source)s, 'running', %(now)s, %(now)s)
on conflict (site_id, format, source_key) do update
set source = excluded.source, state = 'running', changed_at = excluded.changed_at
where known.state <> 'undoing'
returning *

-- name: complete
update site_import
set state = 'complete', changed_at = %(now)s
where import_id = %(import_id)s and steps = %(steps)s and state in ('running', 'stopped')

-- name: stop
-- An import that another process has moved on meanwhile runs again with its next piece.
update site_import set state = 'stopped', changed_at = %(now)s where import_id = %(import_id)s and state = 'running'

-- name: all
select * from site_import order by import_id

-- name: ledger
select day, type, reason, rows from import_ledger where import_id = %(import_id)s order by day, type, reason

-- name: pageviews
select coalesce(pathname, '') as pathname, count(*) as pageviews
from hit
where site_id = %(site_id)s and import_id = %(import_id)s and type = 'pageview'
    and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
group by 1

-- name: move
update site_import
set mark = %(mark)s, steps = steps + 1, state = 'running', changed_at = %(now)s
where import_id = %(import_id)s and steps = %(steps)s and state in ('running', 'stopped')
returning *

-- name: add_to_ledger
insert into import_ledger as kept (site_id, import_id, day, type, reason, rows)
select %(site_id)s::bigint, %(import_id)s::bigint, counted.*
from unnest(%(days)s::text[], %(types)s::text[], %(reasons)s::text[], %(rows)s::bigint[]) as counted
on conflict (import_id, day, type, reason) do update set rows = kept.rows + excluded.rows
