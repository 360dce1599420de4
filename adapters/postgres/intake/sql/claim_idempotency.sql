-- claim_idempotency
-- Names are forgotten after 24 hours, as the domain has it: on Citus the clause of conflicts takes no parameters.
insert into idempotency as known (site_id, key, fingerprint, stored_at)
select site_id, key, fingerprint, %(now)s
from unnest(%(sites)s::bigint[], %(keys)s::text[], %(fingerprints)s::bytea[]) as named (site_id, key, fingerprint)
order by site_id, key collate "C"
on conflict (site_id, key) do update set fingerprint = excluded.fingerprint, stored_at = excluded.stored_at
where excluded.stored_at - known.stored_at > interval '24 hours'
returning site_id, key
