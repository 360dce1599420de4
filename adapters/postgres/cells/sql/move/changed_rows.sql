-- changed_rows
-- Those of some keys that are still there.
select count(*) as rows, coalesce(jsonb_agg(to_jsonb(own)), '[]')::text as values
from {table} as own
join jsonb_populate_recordset(null::{table}, %(keys)s::jsonb) as noted using ({key})
