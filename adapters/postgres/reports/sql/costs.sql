-- Sessions that met errors, as far as no file holds them.

-- name: first
-- Where sessions met each group first, by fingerprints; `owner` is the index of the group.
with member as materialized (
    select owner, fingerprint from unnest(%(owners)s::integer[], %(fingerprints)s::text[]) as part (owner, fingerprint)
)
select distinct on (owner, session_id) owner, session_id, occurred_at, position
from error_sighting
join member using (fingerprint)
where site_id = %(site_id)s
    and occurred_at >= %(start)s and occurred_at < %(end)s::timestamptz + interval '24 hours'
order by owner, session_id, occurred_at, position
