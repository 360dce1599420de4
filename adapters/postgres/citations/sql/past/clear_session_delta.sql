-- clear_session_delta
delete from session_delta
