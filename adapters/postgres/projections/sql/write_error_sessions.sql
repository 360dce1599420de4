-- write_error_sessions
insert into error_session (site_id, message_id, session_id, first_at, last_at)
select site_id, message_id, session_id, first_at, last_at
from error_session_delta
where first_at is not null and (first_at, last_at) is distinct from (was_first_at, was_last_at)
on conflict (site_id, message_id, session_id) do update set first_at = excluded.first_at, last_at = excluded.last_at
