-- The schema of a store, migrations, and the table that records them.

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

-- name: number_imports
-- Imports are called by their numbers, which no two cells share.
select setval(pg_get_serial_sequence('site_import', 'import_id'), %(first)s, false)

-- name: has_more_to_do
-- Whether the last version before the first release, which has made the schema of the database, has work left, which it does when it
-- runs: it groups errors from before their groups, and encrypts what earlier ones had not.
select
    exists (select from error_history)
    or exists (select from event where type = 'private-link-generated' and schema_version = 0)
    or exists (select from alert_target where url ~ '^https?://')
    or exists (select from visitor_salt where octet_length(salt) = 32)
    or exists (select from visitor_span_salt where octet_length(salt) = 32) as unfinished

-- name: adopt
drop table breakdown_day, day_summary_state, visitors_day, vitals_day, error_history;
drop type breakdown_dimension, day_state;
drop function counts_as_digits(integer[], integer[], integer), ordinal_of_class(integer), class_of_ordinal(integer);
drop function measure_class(double precision), ten_thousandths(double precision), step_of(double precision);
drop function class_in_step(bigint, integer);
drop index event_plain_link;
alter index if exists column_day_day_idx1 rename to column_day_day_idx;

-- A projector of the version before would look for what is gone.
update projection_checkpoint set projection_version = 14;
alter table projection_checkpoint alter column projection_version set default 14;

delete from schema_migration;
