-- Queries that stand for tables when a report reads the past: each is named as its table. In it that name, and those of
-- the queries that come later, stand for the tables themselves.

-- name: earlier_hit
-- Before the first quarter of an hour that may have an earlier hit, all hits came later.
select * from hit
where site_id = %(site_id)s
    and position <= %(last)s and (%(none_aside)s or position not in (select position from aside))
    and occurred_at >= coalesce(
        (
            select quarter
            from quarter_position
            where site_id = %(site_id)s and first_position <= %(last)s
            order by quarter
            limit 1
        ),
        '-infinity'
    )

-- name: event
select * from event where position <= %(journal)s

-- name: error_message
select * from error_message
where site_id = %(site_id)s and message_id not in (select message_id from later_error union select message_id from changed_error_session)
union all
select * from past_error_message

-- name: error_bucket
select site_id, message_id, bucket, occurrences, sessions
from (
    select
        site_id, message_id, bucket, kept.occurrences - coalesce(added.occurrences, 0) as occurrences,
        kept.sessions - coalesce(added.sessions, 0) as sessions
    from error_bucket as kept
    left join added_error_bucket as added using (message_id, bucket)
    where site_id = %(site_id)s and bucket < %(later_since)s
) as past
where occurrences > 0

-- name: error_span
select site_id, days, since, message_id, occurrences, sessions
from (
    select
        site_id, days, since, message_id, kept.occurrences - coalesce(added.occurrences, 0) as occurrences,
        kept.sessions - coalesce(added.sessions, 0) as sessions
    from error_span as kept
    left join added_error_span as added using (days, since, message_id)
    where site_id = %(site_id)s and since < %(later_since)s
) as past
where occurrences > 0

-- name: error_session
select * from error_session
where site_id = %(site_id)s and (message_id, session_id) not in (select message_id, session_id from changed_error_session)
union all
select %(site_id)s, message_id, session_id, first_at, last_at from changed_error_session where first_at is not null

-- name: error_occurrence
select * from error_occurrence
where site_id = %(site_id)s and occurred_at < %(later_since)s
    and position <= %(last)s and (%(none_aside)s or position not in (select position from aside))

-- name: error_sighting
select * from error_sighting
where site_id = %(site_id)s and occurred_at < %(later_since)s
    and position <= %(last)s and (%(none_aside)s or position not in (select position from aside))

-- name: error_day
-- What is counted of a day may be later: each day is read from sightings.
select * from error_day where false

-- name: message_bucket
-- views: buckets
-- The traffic buckets of statements that count new messages.
select site_id, bucket, kept.errors, kept.new_messages - coalesce(moved.messages, 0) as new_messages
from buckets as kept
left join moved_message as moved using (bucket)

-- name: session
-- Before the first day of changed sessions, all are as they were. The sum keeps the planner from looking for the next session
-- of a visitor among all sessions up to the last one.
select * from session where site_id = %(site_id)s and started_at < %(changed_since)s
union all
select * from session
where site_id = %(site_id)s and started_at >= %(changed_since)s and started_at < %(later_since)s
    and session_id + 0 <= %(last)s and session_id not in (select session_id from changed_session)
union all
select * from past_session

-- name: hit
select * from hit
where site_id = %(site_id)s and occurred_at < %(later_since)s
    and position <= %(last)s and (%(none_aside)s or position not in (select position from aside))

-- name: traffic_bucket
-- What later hits have added is in the temporary table of the same name.
select
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors, new_messages, sessions, viewed,
    bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
from traffic_bucket
where site_id = %(site_id)s and bucket < %(changed_since)s
union all
select
    site_id, bucket,
    kept.pageviews - coalesce(added.pageviews, 0),
    kept.custom_events - coalesce(added.custom_events, 0),
    kept.performance_measures - coalesce(added.performance_measures, 0),
    kept.outbound_clicks - coalesce(added.outbound_clicks, 0),
    kept.errors - coalesce(added.errors, 0),
    kept.new_messages,
    kept.sessions - coalesce(added.sessions, 0),
    kept.viewed - coalesce(added.viewed, 0),
    kept.bounces - coalesce(added.bounces, 0),
    kept.seconds - coalesce(added.seconds, 0),
    kept.open_at_start - coalesce(added.open_at_start, 0),
    kept.open_at_start_viewed - coalesce(added.open_at_start_viewed, 0),
    kept.open_at_start_bounces - coalesce(added.open_at_start_bounces, 0),
    kept.open_at_start_seconds - coalesce(added.open_at_start_seconds, 0)
from traffic_bucket as kept
left join pg_temp.traffic_bucket as added using (site_id, bucket)
where site_id = %(site_id)s and bucket >= %(changed_since)s and bucket < %(later_since)s

-- name: conversion
-- What had ended before the first day of changed sessions is as it was.
select * from conversion where site_id = %(site_id)s and ended_at < %(changed_since)s
union all
select * from conversion
where site_id = %(site_id)s and ended_at >= %(changed_since)s and ended_at < %(later_since)s
    and session_id <= %(last)s and session_id not in (select session_id from changed_session)
union all
select * from past_conversion

-- name: conversion_bucket
select site_id, number, bucket, conversions, open_at_start
from conversion_bucket
where site_id = %(site_id)s and bucket < %(changed_since)s
union all
select
    site_id, number, bucket, kept.conversions - coalesce(added.conversions, 0),
    kept.open_at_start - coalesce(added.open_at_start, 0)
from conversion_bucket as kept
left join pg_temp.conversion_bucket as added using (site_id, number, bucket)
where site_id = %(site_id)s and bucket >= %(changed_since)s and bucket < %(later_since)s

-- name: conversion_day
-- Counts, on the day of `later_since`, from which on all hits are later, only the quarters of an hour before it.
select site_id, number, day, conversions, open_at_start
from conversion_day
where site_id = %(site_id)s and day < least(%(changed_since)s, day_of(%(later_since)s))
union all
select
    site_id, number, day, kept.conversions - coalesce(added.conversions, 0),
    kept.open_at_start - coalesce(added.open_at_start, 0)
from conversion_day as kept
left join pg_temp.conversion_day as added using (site_id, number, day)
where site_id = %(site_id)s and day >= %(changed_since)s and day < day_of(%(later_since)s)
union all
select
    site_id, number, day_of(%(later_since)s), sum(kept.conversions - coalesce(added.conversions, 0))::bigint,
    coalesce(
        sum(kept.open_at_start - coalesce(added.open_at_start, 0)) filter (where bucket = day_of(%(later_since)s)), 0
    )::bigint
from conversion_bucket as kept
left join pg_temp.conversion_bucket as added using (site_id, number, bucket)
where site_id = %(site_id)s and bucket >= day_of(%(later_since)s) and bucket < %(later_since)s
group by site_id, number

-- name: later_error
-- The occurrences of errors that are put aside: among earlier ones, and from where all are later.
select message_id, session_id, occurred_at
from day_position
join quarter_position using (site_id)
cross join lateral (
    select message_id, session_id, occurred_at
    from error_occurrence as its
    where its.site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
        and not (position <= %(last)s and (%(none_aside)s or position not in (select position from aside)))
    offset 0
) as later
where site_id = %(site_id)s and day_position.position > %(traffic)s
    and quarter >= day and quarter < day + interval '24 hours'
    and last_position > %(traffic)s and quarter < %(later_since)s
union all
select message_id, session_id, occurred_at
from error_occurrence
where site_id = %(site_id)s and occurred_at >= %(later_since)s

-- name: changed_error_session
-- views: later_pair as pair, times_before
-- The sessions in which a message occurred later, with its first and last time in them before that.
select * from times_before

-- name: later_pair
select distinct message_id, session_id from later_error

-- name: times_before
-- views: error_occurrence as shown
-- The first time, now, of a message in a session, a `pair`, and its first and last time before the position; null when it had
-- not occurred. One look each, also in a statement that avoids nested loops.
select pair.message_id, pair.session_id, past.first_at, past.last_at, kept.first_at as now_first_at
from pair
cross join lateral (
    select first_at, last_at
    from error_session as its
    where its.site_id = %(site_id)s and its.message_id = pair.message_id and its.session_id = pair.session_id
    offset 0
) as kept
cross join lateral (
    select min(occurred_at) as first_at, max(occurred_at) as last_at
    from shown
    where message_id = pair.message_id and occurred_at >= kept.first_at and occurred_at <= kept.last_at
        and session_id = pair.session_id and pair.session_id <= %(last)s
) as past

-- name: past_error_message
-- views: error_occurrence as shown
-- The messages that occurred before the position and after it, or in other sessions than now. One look each, also in a statement that avoids nested loops.
select
    kept.site_id, kept.message_id, kept.digest, kept.message, coalesce(hit.event_name, '') as error_name,
    kept.occurrences - later.occurrences as occurrences, kept.sessions - coalesce(came.sessions, 0) as sessions,
    earliest.occurred_at as first_seen, latest.occurred_at as last_seen
from (
    select message_id, sum(occurrences)::bigint as occurrences
    from (
        select message_id, 1 as occurrences from later_error
        union all
        select message_id, 0 from changed_error_session
    ) as change
    group by message_id
) as later
cross join lateral (
    select *
    from error_message as its
    where its.site_id = %(site_id)s and its.message_id = later.message_id
    offset 0
) as kept
cross join lateral (
    select occurred_at
    from shown
    where message_id = kept.message_id
    order by occurred_at
    limit 1
) as earliest
cross join lateral (
    select occurred_at, position
    from shown
    where message_id = kept.message_id
    order by occurred_at desc, position desc
    limit 1
) as latest
cross join lateral (
    select event_name
    from hit as its
    where its.position = latest.position and its.occurred_at = latest.occurred_at
    offset 0
) as hit
left join (
    select message_id, count(*) filter (where first_at is null) - count(*) filter (where now_first_at is null) as sessions
    from changed_error_session
    group by message_id
) as came on came.message_id = kept.message_id

-- name: added_error
-- What later occurrences have added to the counts of messages: at their times, and at the first time of each session.
select message_id, occurred_at, 1 as occurrences, 0 as sessions from later_error
union all
select message_id, now_first_at, 0, 1 from changed_error_session where now_first_at is not null
union all
select message_id, first_at, 0, -1 from changed_error_session where first_at is not null

-- name: added_error_bucket
select message_id, bucket_of(occurred_at) as bucket, sum(occurrences)::bigint as occurrences, sum(sessions)::bigint as sessions
from added_error
where occurred_at < %(later_since)s
group by message_id, bucket_of(occurred_at)

-- name: added_error_span
select
    message_id, days, span_of(days, occurred_at) as since, sum(occurrences)::bigint as occurrences, sum(sessions)::bigint as sessions
from added_error
cross join unnest(array[1, 4, 16, 64]) as days
group by message_id, days, span_of(days, occurred_at)

-- name: moved_message
-- Messages first seen in a quarter of an hour that were not first seen in it then, less those that were.
select bucket, sum(messages)::bigint as messages
from (
    select bucket_of(first_seen) as bucket, 1 as messages
    from error_message
    where site_id = %(site_id)s and message_id in (select message_id from later_error)
    union all
    select bucket_of(first_seen), -1 from past_error_message where message_id in (select message_id from later_error)
) as moved
group by bucket
having sum(messages) <> 0

-- name: replayed_error_session
-- views: replayed_pair as pair, times_before
-- The same where sessions have been replayed: of the changed ones, those of now were not, and those of the past are no more.
select message_id, session_id, first_at, last_at, now_first_at from past_error_session
union all
select * from times_before

-- name: replayed_pair
select distinct message_id, session_id
from later_error
where session_id not in (select session_id from changed_session)

-- name: present_bucket
select * from traffic_bucket where site_id = %(site_id)s

-- name: aside
-- The hits that are put aside, as they are remembered: those of a past with arrivals that is replayed.
select position from pg_temp.aside

-- name: none_aside
select null::bigint as position where false
