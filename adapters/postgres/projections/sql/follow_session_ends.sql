-- follow_session_ends
update conversion
set ended_at = session_delta.ended_at
from session_delta
where session_delta.was_ended_at < session_delta.ended_at
    and conversion.site_id = session_delta.site_id and conversion.session_id = session_delta.session_id
