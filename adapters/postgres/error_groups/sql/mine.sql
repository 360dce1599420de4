-- mine
mine as materialized (
    select occurred_at, position, session_id, stack, release
    from error_sighting
    where site_id = %(site_id)s and fingerprint = any(%(members)s::text[])
        and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
)
