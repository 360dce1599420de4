-- read_idempotency
select known.site_id, known.key, known.fingerprint
from idempotency as known
join unnest(%(sites)s::bigint[], %(keys)s::text[]) as named (site_id, key) using (site_id, key)
