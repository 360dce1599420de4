-- Browsers and last uses of sign-ins.

-- name: record_sign_in_uses
-- Callers sort the handles, so that two workers which record the same ones cannot deadlock.
insert into sign_in_use (handle, user_id, device, last_used_at)
select * from unnest(%(handles)s::text[], %(user_ids)s::text[], %(devices)s::text[], %(used_at)s::timestamptz[])
on conflict (handle) do update set device = excluded.device, last_used_at = excluded.last_used_at
where sign_in_use.last_used_at < excluded.last_used_at

-- name: read_sign_in_uses
select handle, user_id, device, last_used_at from sign_in_use where handle = any(%(handles)s::text[])

-- name: forget_sign_in_uses
delete from sign_in_use where user_id = %(user_id)s

-- name: forget_old_sign_in_uses
delete from sign_in_use where last_used_at < %(moment)s
