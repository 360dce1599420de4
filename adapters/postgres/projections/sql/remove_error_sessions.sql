-- remove_error_sessions
delete from error_session
using error_session_delta as gone
where error_session.site_id = gone.site_id and error_session.message_id = gone.message_id
    and error_session.session_id = gone.session_id
