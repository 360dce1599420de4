-- The schema of a store.

-- name: create_schema
create schema if not exists {schema}

-- name: number_imports
-- Imports are called by their numbers, which no two cells share.
select setval(pg_get_serial_sequence('site_import', 'import_id'), %(first)s, false)
