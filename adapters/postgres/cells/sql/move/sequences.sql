-- sequences
select sequencename as name, start_value, last_value
from pg_sequences
where schemaname = current_schema()
order by sequencename
