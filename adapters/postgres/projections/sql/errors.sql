-- Errors of a slice: their messages, occurrences, sessions, buckets and spans.

-- name: collect_new_errors
insert into new_errors
with error as materialized (
    select
        site_id, session_id, position, occurred_at, coalesce(event_name, '') as error_name,
        sha256(convert_to(message_of(properties), 'UTF8')) as digest
    from slice
    where type = 'error' and not again
),
known as (
    select seen.site_id, seen.digest, coalesce(kept.message_id, seen.first_position) as message_id
    from (select site_id, digest, min(position) as first_position from error group by site_id, digest) as seen
    -- One look each: the planner, which knows nothing of the slice, must not come to read all messages.
    left join lateral (
        select message_id
        from error_message
        where error_message.site_id = seen.site_id and error_message.digest = seen.digest
        limit 1
    ) as kept on true
)
select error.site_id, message_id, error.digest, session_id, position, occurred_at, error_name, false
from error
join known on known.site_id = error.site_id and known.digest = error.digest

-- name: has_errors
select exists (select from new_errors) as errors

-- name: collect_error_session_delta
insert into error_session_delta
select
    seen.site_id, seen.message_id, seen.session_id,
    least(seen.first_at, kept.first_at), greatest(seen.last_at, kept.last_at), kept.first_at, kept.last_at
from (
    select site_id, message_id, session_id, min(occurred_at) as first_at, max(occurred_at) as last_at
    from new_errors
    group by site_id, message_id, session_id
) as seen
left join lateral (
    select first_at, last_at
    from error_session
    where error_session.site_id = seen.site_id and error_session.message_id = seen.message_id
        and error_session.session_id = seen.session_id
    limit 1
) as kept on true

-- name: write_error_buckets
insert into error_bucket as kept (site_id, message_id, bucket, occurrences, sessions)
with change as (
    select site_id, message_id, bucket_of(occurred_at) as bucket, (not again)::integer as occurrences, 0 as sessions from new_errors
    union all
    select site_id, message_id, bucket_of(first_at), 0, 1
    from error_session_delta
    where first_at is not null and (was_first_at is null or first_at < was_first_at)
    union all
    select site_id, message_id, bucket_of(was_first_at), 0, -1
    from error_session_delta
    where first_at is null or first_at < was_first_at
)
select site_id, message_id, bucket, sum(occurrences), sum(sessions)
from change
group by site_id, message_id, bucket
having sum(occurrences) <> 0 or sum(sessions) <> 0
on conflict (site_id, message_id, bucket) do update set
    occurrences = kept.occurrences + excluded.occurrences, sessions = kept.sessions + excluded.sessions

-- name: write_error_spans
-- After the quarters of an hour have been written, and before the messages are: error_message has the state before the slice.
insert into error_span as kept (site_id, days, since, message_id, occurrences, sessions)
with seen as (
    select site_id, message_id, min(occurred_at) as first_at, max(occurred_at) as last_at
    from new_errors
    group by site_id, message_id
),
spread as materialized (
    select
        seen.site_id, seen.message_id,
        coalesce(day_of(was.first_seen) < day_of(was.last_seen), false) as already
    from seen
    left join lateral (
        select first_seen, last_seen
        from error_message
        where error_message.site_id = seen.site_id and error_message.message_id = seen.message_id
        limit 1
    ) as was on true
    where day_of(least(was.first_seen, seen.first_at)) < day_of(greatest(was.last_seen, seen.last_at))
),
change as (
    select site_id, message_id, day_of(occurred_at) as day, (not again)::integer as occurrences, 0 as sessions from new_errors
    union all
    select site_id, message_id, day_of(first_at), 0, 1
    from error_session_delta
    where first_at is not null and (was_first_at is null or first_at < was_first_at)
    union all
    select site_id, message_id, day_of(was_first_at), 0, -1
    from error_session_delta
    where first_at is null or first_at < was_first_at
),
added as (
    select change.site_id, change.day, change.message_id, change.occurrences, change.sessions
    from change
    join spread on spread.site_id = change.site_id and spread.message_id = change.message_id
    where already
    union all
    select spread.site_id, day_of(history.bucket), spread.message_id, history.occurrences, history.sessions
    from spread
    cross join lateral (
        select bucket, occurrences, sessions
        from error_bucket
        where error_bucket.site_id = spread.site_id and error_bucket.message_id = spread.message_id
        offset 0
    ) as history
    where not already
),
by_day as (
    select site_id, day, message_id, sum(occurrences) as occurrences, sum(sessions) as sessions
    from added
    group by site_id, day, message_id
)
select site_id, days, span_of(days, day), message_id, sum(occurrences), sum(sessions)
from by_day
cross join unnest('{1, 4, 16, 64}'::integer[]) as days
group by site_id, days, span_of(days, day), message_id
having sum(occurrences) <> 0 or sum(sessions) <> 0
-- As they will be read: neighbours in the index are neighbours in the table.
order by site_id, days, span_of(days, day), message_id
on conflict (site_id, days, since, message_id) do update set
    occurrences = kept.occurrences + excluded.occurrences, sessions = kept.sessions + excluded.sessions

-- name: write_new_messages
-- After the quarters of an hour have been written, and before the messages are: error_message has the state before the slice.
with moved as materialized (
    select seen.site_id, bucket_of(seen.first_at) as bucket, bucket_of(was.first_seen) as was_bucket
    from (select site_id, message_id, min(occurred_at) as first_at from new_errors group by site_id, message_id) as seen
    left join lateral (
        select first_seen
        from error_message
        where error_message.site_id = seen.site_id and error_message.message_id = seen.message_id
        limit 1
    ) as was on true
    where was.first_seen is null or seen.first_at < was.first_seen
),
change as (
    select site_id, bucket, sum(messages) as messages
    from (
        select site_id, bucket, 1 as messages from moved
        union all
        select site_id, was_bucket, -1 from moved where was_bucket is not null
    ) as part
    group by site_id, bucket
    having sum(messages) <> 0
)
update traffic_bucket
set new_messages = new_messages + change.messages
from change
where traffic_bucket.site_id = change.site_id and traffic_bucket.bucket = change.bucket

-- name: write_error_messages
insert into error_message as kept (
    site_id, message_id, digest, message, error_name, occurrences, sessions, first_seen, last_seen
)
with seen as (
    select
        site_id, message_id, (array_agg(digest))[1] as digest,
        coalesce(
            (array_agg(error_name order by occurred_at desc, position desc) filter (where not again))[1], ''
        ) as error_name,
        (array_agg(position order by occurred_at desc, position desc) filter (where not again))[1] as last_position,
        count(*) filter (where not again) as occurrences,
        coalesce(min(occurred_at) filter (where not again), 'infinity') as first_seen,
        coalesce(max(occurred_at) filter (where not again), '-infinity') as last_seen
    from new_errors
    group by site_id, message_id
),
came as (
    select site_id, message_id, count(*) filter (where was_first_at is null) - count(*) filter (where first_at is null) as sessions
    from error_session_delta
    group by site_id, message_id
)
-- A message that is known already is not in the slice at the position that it is known by; then nothing is inserted.
select
    seen.site_id, seen.message_id, seen.digest, message_of(slice.properties), coalesce(later.error_name, seen.error_name),
    seen.occurrences, coalesce(came.sessions, 0), seen.first_seen, seen.last_seen
from seen
left join came on came.site_id = seen.site_id and came.message_id = seen.message_id
left join slice on slice.position = seen.message_id
-- The later position of two at one time names the message: a set that is filled in shares may have that one already.
left join lateral (
    select kept.error_name
    from error_message as kept
    join error_occurrence as other on other.site_id = kept.site_id and other.message_id = kept.message_id
    where kept.site_id = seen.site_id and kept.message_id = seen.message_id and kept.last_seen = seen.last_seen
        and other.occurred_at = seen.last_seen and other.position > seen.last_position
    limit 1
) as later on true
on conflict (site_id, message_id) do update set
    error_name = case when excluded.last_seen >= kept.last_seen then excluded.error_name else kept.error_name end,
    occurrences = kept.occurrences + excluded.occurrences,
    sessions = kept.sessions + excluded.sessions,
    first_seen = least(kept.first_seen, excluded.first_seen),
    last_seen = greatest(kept.last_seen, excluded.last_seen)

-- name: write_error_sessions
insert into error_session (site_id, message_id, session_id, first_at, last_at)
select site_id, message_id, session_id, first_at, last_at
from error_session_delta
where first_at is not null and (first_at, last_at) is distinct from (was_first_at, was_last_at)
on conflict (site_id, message_id, session_id) do update set first_at = excluded.first_at, last_at = excluded.last_at

-- name: write_error_occurrences
insert into error_occurrence (site_id, message_id, occurred_at, position, session_id)
select site_id, message_id, occurred_at, position, session_id from new_errors where not again
