-- changed
select day, session_id from column_change where site_id = %(site_id)s and day = any(%(days)s::timestamptz[])
