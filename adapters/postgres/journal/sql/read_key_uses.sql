-- read_key_uses
select key_id, used_at from key_use where key_id = any(%(key_ids)s::bigint[])
