-- changed_error_session
-- The sessions in which a message occurred later, with its first and last time in them before that.
select pair.message_id, pair.session_id, past.first_at, past.last_at, kept.first_at as now_first_at
from (select distinct message_id, session_id from later_error) as pair
{times_before}
