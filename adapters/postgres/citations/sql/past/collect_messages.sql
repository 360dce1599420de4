-- collect_messages
-- Messages that occurred before the position and after it, as they were.
insert into past_message
select
    message.site_id, message.message_id, message.digest, message.message, past.error_name, past.occurrences, past.sessions,
    past.first_seen, past.last_seen
from (
    select
        its.message_id,
        (array_agg(coalesce(hit.event_name, '') order by its.occurred_at desc, its.position desc))[1] as error_name,
        count(*) as occurrences, count(distinct its.session_id) as sessions, min(its.occurred_at) as first_seen,
        max(its.occurred_at) as last_seen
    from error_occurrence as its
    join hit on hit.position = its.position and hit.occurred_at = its.occurred_at
    where its.site_id = %(site_id)s and its.position <= %(traffic)s
        and its.message_id in (
            select message_id from error_occurrence where site_id = %(site_id)s and position > %(traffic)s
        )
    group by its.message_id
) as past
join error_message as message on message.site_id = %(site_id)s and message.message_id = past.message_id
