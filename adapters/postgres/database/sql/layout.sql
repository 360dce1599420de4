-- The schema of a store.

-- name: create_schema
create schema if not exists {schema}

-- name: number_imports
-- Imports are called by their numbers, which no two cells share.
alter table site_import alter column import_id restart with {first}
