-- hits
-- The hits of the stretches, those of sessions in files among them.
stretch
cross join lateral (
    select *
    from hit
    where hit.site_id = %(site_id)s and occurred_at >= stretch.since and occurred_at <= stretch.until
        and {selection/projected} and {comparison}
    offset 0
) as hit
