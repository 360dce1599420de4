-- A second set of the read models, its comparison with the first, and their exchange.

-- name: positions
-- views: projection_checkpoint
select position, journal_position from projection_checkpoint where name = 'reports'

-- name: is_unsettled
-- views: goal_version, retired_goal_version
-- Whether goals wait to be filled, or numbers to be forgotten.
select
    exists (select from goal_version where fill_from is not null)
    or exists (select from retired_goal_version) as unsettled

-- name: compared_columns
-- A message of an error is known by the position of a hit, which is another one when retention has erased that hit, or when
-- another visitor's hit was folded first: tables that refer to messages are compared by the digest of the message.
select
    array_agg(attname::text order by attnum) filter (where attname <> 'message_id') as columns,
    bool_or(attname = 'message_id') and not bool_or(attname = 'digest') as by_message
from pg_attribute
where attrelid = %(table)s::regclass and attnum > 0 and not attisdropped

-- name: count_differences
-- views: used, copied
-- The rows that only one of the two sets has.
select count(*) as rows
from (
    (table used except all table copied)
    union all
    (table copied except all table used)
) as different

-- name: vacuum
vacuum (analyze) {tables}

-- name: lock_tables
lock table {tables} in access exclusive mode

-- name: replace_table
drop table {schema}.{table};
alter table {copy}.{table} set schema {schema}

-- name: rows_by_message
-- views: own, error_message
select digest, {columns} from own left join error_message using (site_id, message_id)

-- name: current_schema
select current_schema() as schema

-- name: create_checkpoint
insert into {checkpoint} (name, position, journal_position, set_id) values ('reports', 0, 0, gen_random_uuid())

-- name: table_options
-- `create table … like` does not copy the fill factor.
select coalesce(array_to_string(reloptions, ', '), '') as options from pg_class where oid = %(table)s::regclass

-- name: create_table
create table {copy} (like {table} including all){storage}
