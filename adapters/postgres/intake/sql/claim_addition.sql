-- claim_addition
-- Sites are numbered from 1 on: no name of a client is in the way.
insert into idempotency as known (site_id, key, fingerprint, stored_at)
values (0, %(source)s, %(number)s, statement_timestamp())
on conflict (site_id, key) do update set fingerprint = excluded.fingerprint, stored_at = excluded.stored_at
where known.fingerprint < excluded.fingerprint
returning key
