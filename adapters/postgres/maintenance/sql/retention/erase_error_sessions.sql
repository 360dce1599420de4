-- erase_error_sessions
delete from error_session
where site_id = %(site_id)s and message_id = any(%(message_ids)s) and last_at < %(before)s
    and not exists (
        select from session
        where session.site_id = error_session.site_id and session.session_id = error_session.session_id
    )
