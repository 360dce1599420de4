-- forget_idempotency
delete from idempotency
where (site_id, key) in (
    select site_id, key from idempotency where stored_at < %(now)s - interval '24 hours' limit 10000
)
