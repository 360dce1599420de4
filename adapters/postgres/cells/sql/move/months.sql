-- months
select (to_date(substr(inhrelid::regclass::text, length(inhrelid::regclass::text) - 5), 'YYYYMM')::timestamp at time zone 'UTC') as month
from pg_inherits
where inhparent = 'hit'::regclass
order by 1
