-- column_change
select site_id, day, session_id from {schema}.column_change where site_id = {site_id}
union all
select {site_id}, day, session_id from changed_session
union
select {site_id}, day_of(started_at), session_id from past_session
