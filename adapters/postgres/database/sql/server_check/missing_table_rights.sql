-- missing_table_rights
select tablename, wanted
from pg_tables
cross join unnest(array['select', 'insert', 'update', 'delete']) as wanted
where schemaname = current_schema() and not has_table_privilege(format('%I.%I', schemaname, tablename), wanted)
order by tablename, wanted
