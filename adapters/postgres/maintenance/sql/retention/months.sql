-- months
select
    pg_class.relname as name,
    to_date(right(pg_class.relname, 6), 'YYYYMM')::timestamp at time zone 'UTC' as first,
    (to_date(right(pg_class.relname, 6), 'YYYYMM') + interval '1 month') at time zone 'UTC' as end
from pg_inherits
join pg_class on pg_class.oid = pg_inherits.inhrelid
where pg_inherits.inhparent = 'hit'::regclass
order by pg_class.relname
