-- stored_by_transaction
select exists (
    select from hit
    where site_id = %(site_id)s and occurred_at = %(occurred_at)s and xmin = %(transaction)s::xid8::xid
) as stored
