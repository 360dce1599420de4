-- What is left of a span of a site when some of its events have been erased: rows that have lost their sessions go, and
-- sums are counted anew. Retention gives a span without a beginning, the taking back of an import its days one by one.

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

-- name: error_messages
select message_id
from error_message
where site_id = %(site_id)s and message_id > %(after_message)s
    and first_seen < %(until)s::timestamptz and last_seen >= %(since)s::timestamptz
order by message_id
limit %(messages)s

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

-- name: count_error_buckets
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

-- name: count_error_messages
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

-- name: count_error_days
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

-- name: count_error_spans
-- After the days have been counted anew.
insert into error_span (site_id, days, since, message_id, occurrences, sessions)
select day.site_id, span.days, span_of(span.days, day.since), day.message_id, sum(occurrences), sum(sessions)
from error_span as day
cross join unnest(array[4, 16, 64]) as span (days)
where day.site_id = %(site_id)s and day.days = 1 and day.message_id = any(%(message_ids)s)
    and span_of(span.days, day.since) <= span_of(span.days, %(before)s)
group by day.site_id, span.days, span_of(span.days, day.since), day.message_id

-- name: erase_traffic_buckets
delete from traffic_bucket
where site_id = %(site_id)s and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz

-- name: count_traffic_buckets
-- No session lasts longer than a day: those that are open on the first day started on it or on the day before.
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

-- name: conversions
-- Conversions that can fall into the days, by the index that begins with their number.
select conversion.number, first_at, last_at
from (select distinct number from goal_version where site_id = %(site_id)s) as present
join conversion on conversion.site_id = %(site_id)s and conversion.number = present.number
    and ended_at >= %(since)s::timestamptz and ended_at < %(day_after)s

-- name: erase_conversion_buckets
delete from conversion_bucket
where site_id = %(site_id)s and number = any(array(select number from goal_version where site_id = %(site_id)s))
    and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz

-- name: count_conversion_buckets
-- with: conversions
insert into conversion_bucket (site_id, number, bucket, conversions, open_at_start)
with part as (
    select number, bucket_of(first_at) as bucket, 1 as conversions, 0 as open_at_start
    from conversions
    where first_at >= %(since)s::timestamptz and first_at < %(until)s::timestamptz
    union all
    select number, bucket, 0, 1
    from conversions
    cross join lateral buckets_open_at_start(first_at, last_at) as bucket
    where bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
)
select %(site_id)s, number, bucket, sum(conversions), sum(open_at_start)
from part
group by number, bucket

-- name: erase_conversion_days
delete from conversion_day
where site_id = %(site_id)s and number = any(array(select number from goal_version where site_id = %(site_id)s))
    and day >= %(since)s::timestamptz and day < %(day_end)s

-- name: count_conversion_days
-- with: conversions
insert into conversion_day (site_id, number, day, conversions, open_at_start)
with part as (
    select number, day_of(first_at) as day, 1 as conversions, 0 as open_at_start
    from conversions
    union all
    select number, day_of(last_at), 0, 1
    from conversions
    where day_of(last_at) > day_of(first_at)
)
select %(site_id)s, number, day, sum(conversions), sum(open_at_start)
from part
where day >= %(since)s::timestamptz and day < %(day_end)s
group by number, day

-- name: erase_marks
-- A mark goes with the last hit of the rest of its run.
delete from session_mark
where site_id = %(site_id)s
    and not exists (
        select from hit
        where hit.site_id = session_mark.site_id and hit.visitor_id = session_mark.visitor_id
            and occurred_at >= cutoff and occurred_at <= last_at + interval '30 minutes'
    )
