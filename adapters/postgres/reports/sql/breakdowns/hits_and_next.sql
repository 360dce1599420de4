-- hits_and_next
(
    select *
    from hit
    where hit.site_id = %(site_id)s and occurred_at >= %(start)s
        and occurred_at < %(end)s::timestamptz + interval '30 minutes' and {selection/projected}
) as hit
