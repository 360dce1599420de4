-- follow_session_ends
update conversion
set ended_at = touched.ended_at
from touched
where touched.was_ended_at < touched.ended_at
    and conversion.site_id = touched.site_id and conversion.session_id = touched.session_id
