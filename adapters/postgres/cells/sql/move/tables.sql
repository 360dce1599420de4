-- tables
-- Those that are referenced by others first. Partitions are written through their table, generated columns by themselves.
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
