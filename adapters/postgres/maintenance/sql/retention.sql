-- The erasure of events that are older than a site keeps them; sums at the cutoff are counted anew.

-- name: erase_traffic_buckets
delete from traffic_bucket where site_id = %(site_id)s and bucket < %(before)s

-- name: erase_conversion_buckets
delete from conversion_bucket where site_id = %(site_id)s and bucket < %(before)s

-- name: erase_conversion_days
delete from conversion_day where site_id = %(site_id)s and day <= day_of(%(before)s)

-- name: erase_error_sessions
delete from error_session
where site_id = %(site_id)s and message_id = any(%(message_ids)s) and last_at < %(before)s
    and not exists (
        select from session
        where session.site_id = error_session.site_id and session.session_id = error_session.session_id
    )

-- name: erase_error_buckets
delete from error_bucket
where site_id = %(site_id)s and message_id = any(%(message_ids)s) and bucket < %(before)s

-- name: keep_error_buckets
insert into error_bucket (site_id, message_id, bucket, occurrences, sessions)
with part as (
    select message_id, bucket_of(occurred_at) as bucket, 1 as occurrences, 0 as sessions
    from error_occurrence
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and occurred_at < %(before)s
    union all
    select message_id, bucket_of(first_at), 0, 1
    from error_session
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and first_at < %(before)s
)
select %(site_id)s, message_id, bucket, sum(occurrences), sum(sessions)
from part
group by message_id, bucket

-- name: erase_error_messages
delete from error_message
where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    and not exists (
        select from error_occurrence
        where error_occurrence.site_id = error_message.site_id
            and error_occurrence.message_id = error_message.message_id
    )

-- name: keep_error_messages
update error_message
set
    occurrences = counted.occurrences, sessions = counted.sessions,
    first_seen = earliest.occurred_at, last_seen = latest.occurred_at, error_name = latest.error_name
from (
    select message_id, sum(occurrences) as occurrences, sum(sessions) as sessions
    from error_bucket
    where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    group by message_id
) as counted
cross join lateral (
    select occurred_at
    from error_occurrence
    where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = counted.message_id
    order by occurred_at
    limit 1
) as earliest
cross join lateral (
    select last.occurred_at, coalesce(hit.event_name, '') as error_name
    from (
        select occurred_at, position
        from error_occurrence
        where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = counted.message_id
        order by occurred_at desc, position desc
        limit 1
    ) as last
    join hit on hit.position = last.position and hit.occurred_at = last.occurred_at
) as latest
where error_message.site_id = %(site_id)s and error_message.message_id = counted.message_id

-- name: erase_error_spans
delete from error_span
where error_span.site_id = %(site_id)s and error_span.message_id = any(%(message_ids)s)
    and (
        error_span.since <= span_of(error_span.days, %(before)s)
        or not exists (
            select from error_message
            where error_message.site_id = error_span.site_id
                and error_message.message_id = error_span.message_id
                and day_of(error_message.first_seen) < day_of(error_message.last_seen)
        )
    )

-- name: keep_error_days
insert into error_span (site_id, days, since, message_id, occurrences, sessions)
select
    error_bucket.site_id, 1, day_of(bucket), error_bucket.message_id, sum(error_bucket.occurrences),
    sum(error_bucket.sessions)
from error_bucket
join error_message using (site_id, message_id)
where error_bucket.site_id = %(site_id)s and error_bucket.message_id = any(%(message_ids)s)
    and bucket < %(day_end)s
    and day_of(first_seen) < day_of(last_seen)
group by error_bucket.site_id, day_of(bucket), error_bucket.message_id

-- name: keep_error_spans
-- After the days have been counted anew.
insert into error_span (site_id, days, since, message_id, occurrences, sessions)
select day.site_id, span.days, span_of(span.days, day.since), day.message_id, sum(occurrences), sum(sessions)
from error_span as day
cross join unnest('{4, 16, 64}'::integer[]) as span (days)
where day.site_id = %(site_id)s and day.days = 1 and day.message_id = any(%(message_ids)s)
    and span_of(span.days, day.since) <= span_of(span.days, %(before)s)
group by day.site_id, span.days, span_of(span.days, day.since), day.message_id

-- name: erase_hits
with looked_at as materialized (
    select ctid as place, position, visitor_id, occurred_at
    from {month}
    where site_id = %(site_id)s
        and occurred_at < %(before)s
        and position <= %(projected)s
        and (occurred_at, position) > (%(after_time)s::timestamptz, %(after_position)s::bigint)
    order by occurred_at, position
    limit %(limit)s
),
-- Sessions are erased as a whole: one that ends after the cutoff keeps its hits.
erased as (
    delete from {month}
    where ctid = any(array(
        select place
        from looked_at
        left join lateral (
            select ended_at
            from session
            where session.site_id = %(site_id)s
                and session.visitor_id = looked_at.visitor_id
                and session.started_at <= looked_at.occurred_at
            order by session.started_at desc
            limit 1
        ) as own on true
        where coalesce(own.ended_at < %(before)s, true)
    ))
    returning 1
)
select
    occurred_at as after_time, position as after_position, (select count(*) from erased) as erased
from looked_at
order by occurred_at desc, position desc
limit 1

-- name: erase_sessions
delete from session
where ctid = any(array(
    select ctid
    from session
    where site_id = %(site_id)s and started_at < %(before)s and ended_at < %(before)s
    limit %(limit)s
))

-- name: erase_error_occurrences
delete from error_occurrence
where ctid = any(array(
    select error_occurrence.ctid
    from error_occurrence
    where site_id = %(site_id)s and occurred_at < %(before)s
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
    where site_id = %(site_id)s and occurred_at < %(before)s
        and not exists (
            select from session
            where session.site_id = error_sighting.site_id and session.session_id = error_sighting.session_id
        )
    limit %(limit)s
))

-- name: note_erasure
insert into hit_erasure as kept (site_id, reason, first_position, since, until)
values (%(site_id)s, 'retention', 0, '-infinity', %(before)s)
on conflict (site_id, reason) do update set until = greatest(kept.until, excluded.until), finished_at = null

-- name: finish_erasure
update hit_erasure
set finished_at = statement_timestamp()
where site_id = %(site_id)s and reason = 'retention' and finished_at is null

-- name: erase_marks
-- A mark goes with the last hit of the rest of its run.
delete from session_mark
where site_id = %(site_id)s
    and not exists (
        select from hit
        where hit.site_id = session_mark.site_id and hit.visitor_id = session_mark.visitor_id
            and occurred_at >= cutoff and occurred_at <= last_at + interval '30 minutes'
    )

-- name: erase_conversions
delete from conversion
where ctid = any(array(
    select ctid from conversion where site_id = %(site_id)s and ended_at < %(before)s limit %(limit)s
))

-- name: keep_traffic_buckets
insert into traffic_bucket (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors, new_messages,
    sessions, viewed, bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
)
with kept as (
    select
        started_at, ended_at, floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
        view_of(pageviews) as view, bounce_of(pageviews, custom_events, outbound_clicks) as bounce
    from session
    where site_id = %(site_id)s and started_at < %(before)s
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
    where site_id = %(site_id)s and occurred_at < %(before)s and position <= %(projected)s
    group by 1
    union all
    select bucket_of(started_at), 0, 0, 0, 0, 0, 0, 1, view, bounce, seconds, 0, 0, 0, 0 from kept
    union all
    select bucket, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, view, bounce, seconds
    from kept
    cross join lateral buckets_open_at_start(started_at, ended_at) as bucket
    where bucket < %(before)s
    union all
    select bucket_of(first_seen), 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from error_message
    where site_id = %(site_id)s and first_seen < %(before)s
)
select
    %(site_id)s, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks),
    sum(errors), sum(new_messages), sum(sessions), sum(viewed), sum(bounces), sum(seconds), sum(open_at_start), sum(open_at_start_viewed),
    sum(open_at_start_bounces), sum(open_at_start_seconds)
from part
group by bucket

-- name: keep_conversion_buckets
insert into conversion_bucket (site_id, number, bucket, conversions, open_at_start)
with kept as (
    select number, first_at, last_at from conversion where site_id = %(site_id)s and first_at < %(before)s
),
part as (
    select number, bucket_of(first_at) as bucket, 1 as conversions, 0 as open_at_start from kept
    union all
    select number, bucket, 0, 1
    from kept
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where bucket < %(before)s
)
select %(site_id)s, number, bucket, sum(conversions), sum(open_at_start)
from part
group by number, bucket

-- name: keep_conversion_days
insert into conversion_day (site_id, number, day, conversions, open_at_start)
with kept as (
    select number, first_at, last_at
    from conversion
    where site_id = %(site_id)s and day_of(first_at) <= day_of(%(before)s)
),
part as (
    select number, day_of(first_at) as day, 1 as conversions, 0 as open_at_start from kept
    union all
    select number, day_of(last_at), 0, 1
    from kept
    where day_of(last_at) > day_of(first_at) and day_of(last_at) <= day_of(%(before)s)
)
select %(site_id)s, number, day, sum(conversions), sum(open_at_start)
from part
group by number, day

-- name: erase_day_positions
delete from day_position
where site_id = %(site_id)s and day < %(before)s
    and not exists (
        select from traffic_bucket
        where traffic_bucket.site_id = day_position.site_id and bucket >= day and bucket < day + interval '24 hours'
    )

-- name: erase_quarter_positions
-- The quarter of the cutoff can have later hits.
delete from quarter_position where site_id = %(site_id)s and quarter < bucket_of(%(before)s)

-- name: move_new_messages
-- Messages that retention left with a first occurrence after the cutoff; keep_traffic_buckets counts the others.
update traffic_bucket
set new_messages = new_messages + moved.messages
from (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and first_seen >= %(before)s
    group by 1
) as moved
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = moved.bucket

-- name: count_hits
select count(*) as hits from hit where site_id = %(site_id)s and occurred_at < %(before)s

-- name: announce
insert into retained (site_id, since)
values (%(site_id)s, %(before)s)
on conflict (site_id) do update set since = greatest(retained.since, excluded.since)

-- name: mark_cuts
-- The runs of which some sessions go and others stay: those are cut by days. What stays first reaches to the cutoff and lasts at
-- most a day, or it begins soon after what goes last. The marks that are there already separate runs.
insert into session_mark (site_id, visitor_id, cutoff, first_at, last_at)
with recursive run as (
    select
        kept.site_id, kept.visitor_id, day_of(kept.started_at) as cutoff, gone.started_at as first_at,
        gone.ended_at as last_at
    from session as kept
    cross join lateral (
        select started_at, ended_at
        from session
        where session.site_id = kept.site_id and session.visitor_id = kept.visitor_id
            and session.started_at < kept.started_at
        order by session.started_at desc
        limit 1
    ) as gone
    where kept.site_id = %(site_id)s and kept.ended_at >= %(before)s
        and kept.started_at >= %(before)s::timestamptz - interval '24 hours'
        and kept.started_at <= %(before)s::timestamptz + interval '30 minutes'
        and gone.ended_at < %(before)s and gone.ended_at >= kept.started_at - interval '30 minutes'
        -- Not so where a former version formed sessions, which could overlap.
        and gone.ended_at < day_of(kept.started_at)
        and not exists (
            select from session_mark as mark
            where mark.site_id = kept.site_id and mark.visitor_id = kept.visitor_id
                and mark.cutoff > gone.ended_at and mark.cutoff <= kept.started_at
        )
    union all
    select run.site_id, run.visitor_id, run.cutoff, earlier.started_at, run.last_at
    from run
    cross join lateral (
        select started_at, ended_at
        from session
        where session.site_id = run.site_id and session.visitor_id = run.visitor_id
            and session.started_at < run.first_at
        order by session.started_at desc
        limit 1
    ) as earlier
    where earlier.ended_at >= run.first_at - interval '30 minutes'
        and not exists (
            select from session_mark as mark
            where mark.site_id = run.site_id and mark.visitor_id = run.visitor_id
                and mark.cutoff > earlier.ended_at and mark.cutoff <= run.first_at
        )
),
cut as (
    select site_id, visitor_id, cutoff, min(first_at) as first_at, min(last_at) as last_at
    from run
    group by site_id, visitor_id, cutoff
)
select
    cut.site_id, cut.visitor_id, cut.cutoff, least(cut.first_at, min(mark.first_at)), cut.last_at
from cut
left join session_mark as mark on mark.site_id = cut.site_id and mark.visitor_id = cut.visitor_id
    and mark.cutoff <= cut.first_at and cut.first_at <= mark.last_at + interval '30 minutes'
group by cut.site_id, cut.visitor_id, cut.cutoff, cut.first_at, cut.last_at

-- name: months
select
    pg_class.relname as name,
    to_date(right(pg_class.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' as first,
    (to_date(right(pg_class.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' as end
from pg_inherits
join pg_class on pg_class.oid = pg_inherits.inhrelid
where pg_inherits.inhparent = 'hit'::regclass
order by pg_class.relname

-- name: lock_log
lock table only hit in access exclusive mode

-- name: drop_month
drop table {month}

-- name: old_error_messages
select message_id
from error_message
where site_id = %(site_id)s and message_id > %(after_message)s and first_seen < %(before)s
order by message_id
limit %(messages)s

-- name: sites_of_month
with recursive present as (
    (select site_id from {month} order by site_id limit 1)
    union all
    select (select site_id from {month} where site_id > present.site_id order by site_id limit 1)
    from present
    where present.site_id is not null
)
select site_id
from present
where site_id is not null
