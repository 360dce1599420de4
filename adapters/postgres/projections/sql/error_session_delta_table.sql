-- error_session_delta_table
create temporary table if not exists error_session_delta on commit delete rows as
select site_id, message_id, session_id, first_at, last_at, first_at as was_first_at, last_at as was_last_at
from error_session
with no data
