-- What admits hits: windows of rates, keys of events, and monthly quotas.

-- name: make_windows
insert into rate_window (key_id, admitted)
select key_id, '{}' from unnest(%(keys)s::bigint[]) as key_id order by key_id
on conflict (key_id) do nothing

-- name: lock_windows
select key_id, admitted from rate_window where key_id = any(%(keys)s) order by key_id for update

-- name: save_windows
update rate_window
set admitted = array(select jsonb_array_elements_text(saved.admitted)::bigint)
from jsonb_to_recordset(%(windows)s) as saved (key_id bigint, admitted jsonb)
where rate_window.key_id = saved.key_id

-- name: claim_idempotency
-- Names are forgotten after 24 hours, as the domain has it.
insert into idempotency as stored (site_id, key, fingerprint, stored_at)
select site_id, key, fingerprint, %(now)s
from unnest(%(sites)s::bigint[], %(keys)s::text[], %(fingerprints)s::bytea[]) as named (site_id, key, fingerprint)
order by site_id, key collate "C"
on conflict (site_id, key) do update set fingerprint = excluded.fingerprint, stored_at = excluded.stored_at
where excluded.stored_at - stored.stored_at > interval '24 hours'
returning site_id, key

-- name: read_idempotency
select stored.site_id, stored.key, stored.fingerprint
from idempotency as stored
join unnest(%(sites)s::bigint[], %(keys)s::text[]) as named (site_id, key) using (site_id, key)

-- name: release_idempotency
delete from idempotency as claimed
using unnest(%(sites)s::bigint[], %(keys)s::text[]) as named (site_id, key)
where claimed.site_id = named.site_id and claimed.key = named.key

-- name: make_quotas
insert into pageview_quota (site_id, month, used)
select asked.site_id, asked.month, stored_pageviews(asked.site_id, asked.month)
from unnest(%(sites)s::bigint[], %(months)s::date[]) as asked (site_id, month)
where not exists (
    select from pageview_quota as quota where quota.site_id = asked.site_id and quota.month = asked.month
)
order by asked.site_id, asked.month
on conflict (site_id, month) do nothing

-- name: lock_quotas
select quota.site_id, quota.month, quota.used
from pageview_quota as quota
join unnest(%(sites)s::bigint[], %(months)s::date[]) as asked (site_id, month) using (site_id, month)
order by quota.site_id, quota.month
for update of quota

-- name: save_quotas
update pageview_quota as quota
set used = saved.used
from unnest(%(sites)s::bigint[], %(months)s::date[], %(used)s::bigint[]) as saved (site_id, month, used)
where quota.site_id = saved.site_id and quota.month = saved.month
