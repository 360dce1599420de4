-- is_distributed
-- The catalog is there only where Citus is.
select count(*) > 0 as distributed
from pg_dist_schema
join pg_namespace on pg_namespace.oid = schemaid
where nspname = current_schema()
