-- The last uses of API keys.

-- name: record_key_uses
-- Callers sort the keys, so that two workers which record the same ones cannot deadlock.
insert into key_use (key_id, used_at)
select * from unnest(%(key_ids)s::bigint[], %(used_at)s::timestamptz[])
on conflict (key_id) do update set used_at = excluded.used_at where key_use.used_at < excluded.used_at

-- name: read_key_uses
select key_id, used_at from key_use where key_id = any(%(key_ids)s::bigint[])
