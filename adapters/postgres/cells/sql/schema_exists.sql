-- schema_exists
select exists (select from pg_namespace where nspname = %(schema)s) as exists
