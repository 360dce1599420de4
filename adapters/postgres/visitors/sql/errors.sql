-- What a batch of an erasure changes of errors: the quarters of an hour that it touches are counted anew, and all sums
-- are reduced by what these have lost.

-- name: make_touched_table
create temporary table if not exists touched_bucket (
    message_id bigint not null, bucket timestamptz not null, occurrences bigint not null, sessions bigint not null
) on commit delete rows

-- name: collect_buckets
-- The quarters of an hour of the messages of the sessions that are formed anew, with what they count: all others stay.
insert into touched_bucket
select message_id, bucket, counted.occurrences, counted.sessions
from (
    select distinct message_id, bucket_of(occurred_at) as bucket
    from regrouped
    join error_occurrence using (site_id, session_id)
    where occurred_at >= regrouped.started_at and occurred_at <= regrouped.ended_at and errors > 0
) as touched
join error_bucket as counted using (message_id, bucket)
where counted.site_id = %(site_id)s

-- name: messages
select distinct message_id from touched_bucket

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

-- name: remove_error_sessions
delete from error_session
using regrouped
where error_session.site_id = %(site_id)s and error_session.message_id = any(%(message_ids)s)
    and error_session.session_id = regrouped.session_id

-- name: erase_sightings
delete from error_sighting
using run_hit
where is_gone and error_sighting.site_id = %(site_id)s
    and error_sighting.occurred_at = run_hit.occurred_at and error_sighting.position = run_hit.position

-- name: move_sightings
update error_sighting
set session_id = placed.target_id
from placed
where error_sighting.site_id = %(site_id)s
    and error_sighting.occurred_at = placed.started_at and error_sighting.position = placed.number

-- name: erase_occurrences
delete from error_occurrence
using run_hit
where is_gone and error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = any(%(message_ids)s)
    and error_occurrence.occurred_at = run_hit.occurred_at and error_occurrence.position = run_hit.position

-- name: move_occurrences
update error_occurrence
set session_id = placed.target_id
from placed
where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = any(%(message_ids)s)
    and error_occurrence.occurred_at = placed.started_at and error_occurrence.position = placed.number

-- name: write_error_sessions
insert into error_session (site_id, message_id, session_id, first_at, last_at)
select site_id, message_id, session_id, min(occurred_at), max(occurred_at)
from error_occurrence
where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    and session_id in (select target_id from placed)
group by site_id, message_id, session_id

-- name: erase_buckets
delete from error_bucket
using touched_bucket as touched
where error_bucket.site_id = %(site_id)s and error_bucket.message_id = touched.message_id
    and error_bucket.bucket = touched.bucket

-- name: count_buckets
-- No session is longer than 24 hours: the last times bound the first ones, which have no index.
insert into error_bucket (site_id, message_id, bucket, occurrences, sessions)
select %(site_id)s, message_id, bucket, counted.occurrences, begun.sessions
from touched_bucket as touched
cross join lateral (
    select count(*) as occurrences
    from error_occurrence
    where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = touched.message_id
        and occurred_at >= bucket and occurred_at < bucket + interval '15 minutes'
) as counted
cross join lateral (
    select count(*) as sessions
    from error_session
    where error_session.site_id = %(site_id)s and error_session.message_id = touched.message_id
        and first_at >= bucket and first_at < bucket + interval '15 minutes'
        and last_at >= bucket and last_at < bucket + interval '24 hours 15 minutes'
) as begun
where counted.occurrences > 0

-- name: subtract_counts
-- What the quarters of an hour have lost.
update touched_bucket
set
    occurrences = touched_bucket.occurrences - coalesce(kept.occurrences, 0),
    sessions = touched_bucket.sessions - coalesce(kept.sessions, 0)
from touched_bucket as touched
left join error_bucket as kept
    on kept.site_id = %(site_id)s and kept.message_id = touched.message_id and kept.bucket = touched.bucket
where touched_bucket.message_id = touched.message_id and touched_bucket.bucket = touched.bucket

-- name: remove_messages
delete from error_message
where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    and not exists (
        select from error_occurrence
        where error_occurrence.site_id = error_message.site_id
            and error_occurrence.message_id = error_message.message_id
    )

-- name: reduce_messages
update error_message
set
    occurrences = error_message.occurrences - lost.occurrences, sessions = error_message.sessions - lost.sessions,
    first_seen = earliest.occurred_at, last_seen = latest.occurred_at, error_name = latest.error_name
from (
    select message_id, sum(occurrences) as occurrences, sum(sessions) as sessions from touched_bucket group by message_id
) as lost
cross join lateral (
    select occurred_at
    from error_occurrence
    where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = lost.message_id
    order by occurred_at
    limit 1
) as earliest
cross join lateral (
    select last.occurred_at, coalesce(hit.event_name, '') as error_name
    from (
        select occurred_at, position
        from error_occurrence
        where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = lost.message_id
        order by occurred_at desc, position desc
        limit 1
    ) as last
    join hit on hit.position = last.position and hit.occurred_at = last.occurred_at
) as latest
where error_message.site_id = %(site_id)s and error_message.message_id = lost.message_id

-- name: reduce_spans
update error_span
set occurrences = error_span.occurrences - lost.occurrences, sessions = error_span.sessions - lost.sessions
from (
    select days, span_of(days, bucket) as since, message_id, sum(occurrences) as occurrences, sum(sessions) as sessions
    from touched_bucket
    cross join unnest(array[1, 4, 16, 64]) as span (days)
    group by 1, 2, 3
) as lost
where error_span.site_id = %(site_id)s and error_span.days = lost.days and error_span.since = lost.since
    and error_span.message_id = lost.message_id

-- name: remove_spans
-- Those without an occurrence, and all of a message that occurred on one day only: what is left of these has this day.
delete from error_span
using (
    select days, span_of(days, at) as since, message_id
    from (
        select message_id, bucket as at from touched_bucket
        union
        select message_id, first_seen
        from error_message
        where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    ) as touched
    cross join unnest(array[1, 4, 16, 64]) as span (days)
    group by 1, 2, 3
) as touched
where error_span.site_id = %(site_id)s and error_span.days = touched.days and error_span.since = touched.since
    and error_span.message_id = touched.message_id
    and (
        error_span.occurrences = 0
        or not exists (
            select from error_message as kept
            where kept.site_id = %(site_id)s and kept.message_id = touched.message_id
                and day_of(first_seen) < day_of(last_seen)
        )
    )

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
