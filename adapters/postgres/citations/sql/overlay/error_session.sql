-- error_session
select * from {schema}.error_session
where site_id = {site_id} and (message_id, session_id) not in (select message_id, session_id from changed_error_session)
union all
select {site_id}, message_id, session_id, first_at, last_at from changed_error_session where first_at is not null
