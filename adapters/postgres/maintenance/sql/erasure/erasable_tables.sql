-- erasable_tables
select
    pg_namespace.nspname as schema, pg_class.relname as name,
    exists (select from pg_inherits where inhrelid = pg_class.oid and inhparent = 'hit'::regclass) as holds_hits
from pg_attribute
join pg_class on pg_class.oid = pg_attribute.attrelid
join pg_namespace on pg_namespace.oid = pg_class.relnamespace
where pg_attribute.attname = 'site_id' and not pg_attribute.attisdropped
    and pg_class.relkind = 'r' and pg_namespace.nspname = current_schema()
order by holds_hits desc, name
