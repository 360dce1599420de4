-- new_errors_table
create temporary table if not exists new_errors on commit delete rows as
select site_id, message_id, digest, message_id as session_id, message_id as position, first_seen as occurred_at, error_name,
    false as again
from error_message
with no data
