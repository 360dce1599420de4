-- take_notes
-- The keys of some rows that have changed, each once.
with taken as (
    delete from changed_row
    where ctid = any(array(select ctid from changed_row limit %(limit)s))
    returning table_name, key
)
select
    table_name as name, count(*) as notes, jsonb_agg(distinct key)::text as keys,
    array(select jsonb_object_keys((array_agg(key))[1])) as columns
from taken
group by table_name
