-- past_error_message
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
    ) as one
    group by message_id
) as later
cross join lateral (
    select *
    from {schema}.error_message as its
    where its.site_id = {site_id} and its.message_id = later.message_id and its.message_id <= {last}
    offset 0
) as kept
cross join lateral (
    select occurred_at
    from {schema}.error_occurrence as its
    where its.site_id = {site_id} and its.message_id = kept.message_id and {is_shown}
        and occurred_at < {later_since}
    order by occurred_at
    limit 1
) as earliest
cross join lateral (
    select occurred_at, position
    from {schema}.error_occurrence as its
    where its.site_id = {site_id} and its.message_id = kept.message_id and {is_shown}
        and occurred_at < {later_since}
    order by occurred_at desc, position desc
    limit 1
) as latest
cross join lateral (
    select event_name
    from {schema}.hit as its
    where its.position = latest.position and its.occurred_at = latest.occurred_at
    offset 0
) as hit
left join (
    select message_id, count(*) filter (where first_at is null) - count(*) filter (where now_first_at is null) as sessions
    from changed_error_session
    group by message_id
) as came on came.message_id = kept.message_id
