-- Migrations, and the table that records them.

-- name: lock_checkpoint
-- A migration holds the checkpoint, so that no projector changes the read models meanwhile. Projectors that wait for it
-- find another projection version afterwards.
select from projection_checkpoint for update

-- name: lock_migrations
-- Class and number of the advisory lock: see 0001_first_release.sql. The session holds it: of several processes that start at
-- once the second one finds the work done.
select pg_advisory_lock(%(lock_class)s, 3)

-- name: create_schema_migration
create table if not exists schema_migration (
    number integer primary key,
    name text not null,
    applied_at timestamptz not null default now()
)

-- name: applied_migrations
select number, name from schema_migration

-- name: record_migration
insert into schema_migration (number, name) values (%(number)s, %(name)s)

-- name: table_exists
select to_regclass(%(name)s) is not null

-- name: has_migration
select exists (select from schema_migration where number = %(number)s and name = %(name)s) as applied
