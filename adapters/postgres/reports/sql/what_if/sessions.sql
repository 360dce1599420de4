-- sessions
select * from session where site_id = %(site_id)s and session_id = any(%(session_ids)s::bigint[])
