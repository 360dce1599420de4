-- next_set
-- Whether a rebuild is filling its set of tables, and where those in use are. What a rebuild that was killed has left is none.
select
    current_schema() as used,
    to_regclass(quote_ident(%(schema)s) || '.column_day') is not null and exists (
        select from pg_locks
        where locktype = 'advisory' and classid = lock_class()::oid and objid = %(lock)s::integer::oid and granted
            and database = (select oid from pg_database where datname = current_database())
    ) as is_there
