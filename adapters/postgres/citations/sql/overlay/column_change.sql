-- column_change
select site_id, day, session_id from {schema}.column_change where site_id = {site_id}
union all
select {site_id}, day, session_id from changed_session
