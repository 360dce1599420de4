-- erase_sessions
delete from session
where ctid = any(array(
    select ctid
    from session
    where site_id = %(site_id)s and started_at < %(before)s and ended_at < %(before)s
    limit %(limit)s
))
