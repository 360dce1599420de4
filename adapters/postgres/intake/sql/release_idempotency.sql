-- release_idempotency
delete from idempotency as claimed
using unnest(%(sites)s::bigint[], %(keys)s::text[]) as named (site_id, key)
where claimed.site_id = named.site_id and claimed.key = named.key
