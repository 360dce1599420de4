-- size
select coalesce(sum(pg_total_relation_size(oid)), 0)::bigint as bytes
from pg_class
where relnamespace = current_schema()::regnamespace and relkind in ('r', 'm')
