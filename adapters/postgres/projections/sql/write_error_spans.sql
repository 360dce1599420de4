-- write_error_spans
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
