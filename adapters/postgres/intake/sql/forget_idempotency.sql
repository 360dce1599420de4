-- forget_idempotency
delete from idempotency
where (site_id, key) in (
    select site_id, key from idempotency where stored_at < %(before)s limit 10000
)
