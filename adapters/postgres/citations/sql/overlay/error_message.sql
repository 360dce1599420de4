-- error_message
-- Messages that occurred before the position and after it are made anew from their occurrences.
select * from {schema}.error_message as message
where site_id = {site_id}
    and not exists (
        select from {schema}.error_occurrence as later
        where later.site_id = message.site_id and later.message_id = message.message_id and later.position > {traffic}
    )
union all
select
    message.site_id, message.message_id, message.digest, message.message, coalesce(last.event_name, ''), past.occurrences,
    past.sessions, past.first_seen, past.last_seen
from (
    select
        message_id, count(*) as occurrences, count(distinct session_id) as sessions, min(occurred_at) as first_seen,
        max(occurred_at) as last_seen
    from {schema}.error_occurrence
    where site_id = {site_id} and position <= {traffic}
        and message_id in (
            select message_id from {schema}.error_occurrence where site_id = {site_id} and position > {traffic}
        )
    group by message_id
) as past
join {schema}.error_message as message on message.site_id = {site_id} and message.message_id = past.message_id
cross join lateral (
    select hit.event_name
    from (
        select position, occurred_at
        from {schema}.error_occurrence
        where site_id = {site_id} and message_id = past.message_id and occurred_at = past.last_seen
            and position <= {traffic}
        order by position desc
        limit 1
    ) as its
    join {schema}.hit on hit.position = its.position and hit.occurred_at = its.occurred_at
) as last
