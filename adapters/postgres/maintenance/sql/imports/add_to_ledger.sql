-- add_to_ledger
insert into import_ledger as kept (site_id, import_id, day, type, reason, rows)
select %(site_id)s::bigint, %(import_id)s::bigint, counted.*
from unnest(%(days)s::text[], %(types)s::text[], %(reasons)s::text[], %(rows)s::bigint[]) as counted
on conflict (import_id, day, type, reason) do update set rows = kept.rows + excluded.rows
