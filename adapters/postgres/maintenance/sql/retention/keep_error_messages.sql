-- keep_error_messages
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
