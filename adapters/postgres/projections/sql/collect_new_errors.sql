-- collect_new_errors
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
