-- The move of a cell: what the old place gives, what the new one takes, and the sign that stays behind.

-- name: arrive
-- What an interrupted move leaves is known by the mark of the store that it copied.
create table cell_arrival (from_mark text not null)

-- name: note_arrival
insert into cell_arrival (from_mark) values (%(mark)s)

-- name: arrived
drop table if exists cell_arrival

-- name: found
-- What a schema holds that has the name of a cell.
select
    to_regclass('cell_mark') is not null as has_mark,
    to_regclass('cell_arrival') is not null as is_arriving,
    to_regclass('cell_moved') is not null as was_moved,
    exists (
        select from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S', 'v', 'm')
    ) as holds_anything

-- name: mark_of
select mark from cell_mark where cell = %(cell)s

-- name: arriving_from
select from_mark from cell_arrival

-- name: stay_connected
-- Between its statements at one place the move works at the other one, for as long as a replay takes. The locks of a command whose host
-- is gone end with its connection, as soon as the server finds out.
select set_config(name, value, false)
from (
    values
        ('idle_session_timeout', '0'),
        ('tcp_keepalives_idle', '10'),
        ('tcp_keepalives_interval', '5'),
        ('tcp_keepalives_count', '3')
) as needed (name, value)

-- name: make_function
-- For as long as the connection lasts.
create or replace function pg_temp.on_each(command text, tables text[]) returns void language plpgsql as $$
declare
    own text;
begin
    foreach own in array tables loop
        execute format(command, own);
    end loop;
end
$$

-- name: take_mark
update cell_mark set mark = %(mark)s where cell = %(cell)s

-- name: last_position
-- While nothing writes: every position up to this one is committed, or was never used.
select case when is_called then last_value else 0 end as position from hit_position

-- name: raise_sequence
-- The projector of the new place has drawn numbers, too.
select setval(sequence, greatest(%(last_value)s::bigint, pg_sequence_last_value(sequence)))
from (select format('%%I', %(name)s::text)::regclass as sequence) as named
where %(last_value)s::bigint is not null

-- name: set_sequence
-- Without a last value the sequence has not been used, and begins with its first one.
select setval(format('%%I', %(name)s::text)::regclass, coalesce(%(last_value)s::bigint, %(start_value)s), %(last_value)s::bigint is not null)

-- name: empty
-- The migrations put first rows into some tables. Tables that refer to each other are emptied by one command.
select pg_temp.on_each('truncate %%s', array[(select string_agg(quote_ident(own), ', ') from unnest(%(tables)s::text[]) as own)])

-- name: months
select (to_date(substr(inhrelid::regclass::text, length(inhrelid::regclass::text) - 5), 'YYYYMM')::timestamp at time zone 'UTC') as month
from pg_inherits
where inhparent = 'hit'::regclass
order by 1

-- name: make_partition
select hit_partition(%(month)s)

-- name: hits
-- views: hit
select * from hit where position > %(after)s and position <= %(up_to)s

-- name: count_hits
select count(*) as rows from hit where position > %(after)s and position <= %(up_to)s

-- name: changed_rows
-- The rows of some keys that are still there.
select {columns}
from {table}
where ({key}) in (select {key} from jsonb_populate_recordset(null::{table}, %(keys)s::jsonb))

-- name: remove_rows
delete from {table}
where ({key}) in (select {key} from jsonb_populate_recordset(null::{table}, %(keys)s::jsonb))

-- name: sequences
select sequencename as name, start_value, last_value
from pg_sequences
where schemaname = current_schema()
order by sequencename

-- name: forget_notes
-- Forgets what an interrupted move has left. To truncate the table would wait for a dump.
delete from changed_row

-- name: begin_snapshot
set transaction isolation level repeatable read

-- name: high_water_mark
select hit_high_water_mark() as position

-- name: take_notes
-- The keys of some rows that have changed, each once.
with taken as (
    delete from changed_row
    where ctid = any(array(select ctid from changed_row limit %(limit)s))
    returning table_name, key
)
select
    table_name as name, count(*) as notes, jsonb_agg(distinct key)::text as keys,
    array(select jsonb_object_keys((array_agg(key))[1])) as columns
from taken
group by table_name

-- name: hold_lock
-- Until the connection ends, also by the death of its process.
select pg_advisory_lock(lock_class(), %(number)s)

-- name: end_vacuums
-- Keeps writers from nothing. The server ends vacuums of its own that hold up a lock, after a second each: now, and not when writers
-- are refused.
select pg_temp.on_each('lock table %%I in share update exclusive mode', %(tables)s::text[])

-- name: limit_end
-- Limits, for the rest of the transaction, the wait for each lock and for a command whose host is gone.
select
    set_config('lock_timeout', %(wait)s, true),
    set_config('idle_in_transaction_session_timeout', %(idle)s, true)

-- name: stop_writers
-- Until the transaction ends: writers are refused from here on, also while those are waited for that have begun.
select pg_advisory_xact_lock(lock_class(), 12)

-- name: lock_shared
-- Reports go on; a writer waits, and finds no table of this name when the move is done.
select pg_temp.on_each('lock table %%I in share mode', %(tables)s::text[])

-- name: leave
select pg_temp.on_each('alter schema %%I rename to ' || quote_ident(%(left)s), array[current_schema()]::text[])

-- name: make_sign
-- In the new schema, which has the name that the connection looks for.
create table cell_moved (from_mark text not null, place text not null, mark text not null)

-- name: put_sign
insert into cell_moved (from_mark, place, mark) values (%(from_mark)s, %(place)s, %(mark)s)

-- name: count_notes
select count(*) as notes from changed_row

-- name: holders
-- What has locks that a move waits for, the oldest first: of jobs and writers by their number, else of a table of the store, or any.
select
    holder.pid, host(holder.client_addr) as host,
    extract(epoch from clock_timestamp() - coalesce(holder.xact_start, holder.backend_start))::integer as seconds,
    min(held.objid::bigint) filter (where held.locktype = 'advisory')::integer as number
from pg_locks as held
join pg_stat_activity as holder on holder.pid = held.pid
where held.granted and holder.datname = current_database() and holder.pid <> pg_backend_pid()
    and (
        held.locktype = 'advisory' and held.classid = lock_class()::oid and held.objid = any(%(numbers)s::integer[]::oid[])
        or held.locktype = 'relation' and held.mode = any(%(modes)s::text[])
        and held.relation in (
            select oid from pg_class
            where relnamespace = current_schema()::regnamespace and (%(table)s::text is null or relname = %(table)s::text)
        )
    )
group by holder.pid, host, seconds
order by seconds desc, holder.pid

-- name: is_moved
select to_regclass('cell_moved') is not null as moved

-- name: read_sign
select place, mark from cell_moved where from_mark = %(mark)s

-- name: begin
-- The transaction lasts as long as the copy, and waits only so long for those that use the store.
select
    set_config('lock_timeout', %(milliseconds)s, true),
    set_config('statement_timeout', '0', true),
    set_config('idle_in_transaction_session_timeout', '0', true)

-- name: tables
-- Tables that others refer to come first. Partitions are written through their table, generated columns by themselves.
select
    own.relname as name,
    array_agg(attribute.attname::text order by attribute.attname) as columns
from pg_class as own
join pg_attribute as attribute on attribute.attrelid = own.oid
where own.relnamespace = current_schema()::regnamespace
    and own.relkind in ('r', 'p')
    and not own.relispartition
    and own.relname not in ('schema_migration', 'cell_arrival', 'changed_row')
    and attribute.attnum > 0
    and not attribute.attisdropped
    and attribute.attgenerated = ''
group by own.oid, own.relname
order by exists (select from pg_constraint where conrelid = own.oid and contype = 'f'), own.relname

-- name: hold_triggers
-- What they would do has been done, and its rows are copied.
select pg_temp.on_each('alter table %%I disable trigger user', %(tables)s::text[])

-- name: release_triggers
select pg_temp.on_each('alter table %%I enable trigger user', %(tables)s::text[])

-- name: analyze
select pg_temp.on_each('analyze %%I', %(tables)s::text[])
