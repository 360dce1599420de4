-- table_options
-- `create table … like` does not copy the fill factor.
select coalesce(array_to_string(reloptions, ', '), '') as options from pg_class where oid = %(table)s::regclass
