-- The last uses of API keys and of links.

-- name: record_key_uses
-- Callers sort the keys, so that two workers which record the same ones cannot deadlock.
insert into key_use (key_id, used_at)
select * from unnest(%(key_ids)s::bigint[], %(used_at)s::timestamptz[])
on conflict (key_id) do update set used_at = excluded.used_at where key_use.used_at < excluded.used_at

-- name: read_key_uses
select key_id, used_at from key_use where key_id = any(%(key_ids)s::bigint[])

-- name: record_link_uses
-- Callers sort the links, so that two workers which record the same ones cannot deadlock.
insert into link_use (site_id, link, used_on)
select * from unnest(%(site_ids)s::bigint[], %(links)s::text[], %(used_on)s::date[])
on conflict (site_id, link) do update set used_on = excluded.used_on where link_use.used_on < excluded.used_on

-- name: read_link_uses
select link, used_on from link_use where site_id = %(site_id)s
