-- collect_error_session_delta
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
