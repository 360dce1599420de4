-- owns_traffic_log
-- True before the table exists.
select coalesce(pg_has_role(tableowner, 'usage'), true) as owned
from (select 1) as one
left join pg_tables on schemaname = current_schema() and tablename = 'hit'
