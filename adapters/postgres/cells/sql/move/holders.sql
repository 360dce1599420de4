-- holders
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
