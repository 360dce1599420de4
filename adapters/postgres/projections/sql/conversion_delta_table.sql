-- conversion_delta_table
create temporary table if not exists conversion_delta on commit delete rows as
select site_id, session_id, number, first_at, last_at, ended_at, first_at as was_first_at, last_at as was_last_at
from conversion
with no data
