-- replayed_error_session
-- The same where sessions have been replayed: of the changed ones, those of now were not, and those of the past are no more.
select message_id, session_id, first_at, last_at, now_first_at from past_error_session
union all
select pair.message_id, pair.session_id, past.first_at, past.last_at, kept.first_at as now_first_at
from (
    select distinct message_id, session_id
    from later_error
    where session_id not in (select session_id from changed_session)
) as pair
{times_before}
