-- hits_in_gaps
-- Each gap is looked up in the index, and hits of other types are skipped there.
gap
cross join lateral (
    select *
    from hit
    where hit.site_id = %(site_id)s and occurred_at >= gap."from" and occurred_at < gap."to" and {selection/projected}
        and hit.type = {type}
    offset 0
) as hit
