-- look_last_in_temporary
-- Reports find the tables of the schema before temporary ones of the same names. At the home of a store of Citus they read
-- views of its shards, if these are shown, and temporary tables are like the tables themselves.
select
    nspname as schema,
    path[cardinality(path)] as stored,
    set_config('search_path', current_setting('search_path') || ', pg_temp', false) as search_path
from current_schemas(false) as path
join pg_class as read on read.oid = to_regclass('hit')
join pg_namespace on pg_namespace.oid = read.relnamespace
