-- retire_error_sessions
insert into error_session_delta (site_id, message_id, session_id, was_first_at, was_last_at)
select own.*
from (
    select distinct new_errors.site_id, new_errors.message_id, occurrence.session_id
    from new_errors
    join error_occurrence as occurrence using (site_id, message_id, occurred_at, position)
    where again
) as pair
cross join lateral (
    select site_id, message_id, session_id, first_at, last_at
    from error_session
    where error_session.site_id = pair.site_id and error_session.message_id = pair.message_id
        and error_session.session_id = pair.session_id
    offset 0
) as own
