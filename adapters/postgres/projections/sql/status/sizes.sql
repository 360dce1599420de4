-- sizes
select
    relname as name, pg_relation_size(oid) / current_setting('block_size')::bigint as pages,
    pg_total_relation_size(oid) as bytes
from unnest(%(tables)s::text[]) with ordinality as asked (name, place)
join pg_class on oid = to_regclass(asked.name)
order by place
