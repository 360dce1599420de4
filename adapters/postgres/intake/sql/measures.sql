-- Measures of pages, and the pageviews that they name.

-- name: pageview_of_measure
-- A tracked hit was received at most MATCHING_SPAN before or after its measure, and happened at most MOST_BEHIND before it was
-- received and MOST_AHEAD after that: few months are looked at.
cross join lateral (
    select position, visitor_id, occurred_at
    from hit
    where hit.pageview_key = measure.pageview_key and hit.site_id = measure.site_id
        and hit.received_at >= measure.received_at - interval '7 days'
        and hit.received_at <= measure.received_at + interval '7 days'
        and hit.occurred_at >= measure.received_at - interval '37 days'
        and hit.occurred_at <= measure.received_at + interval '8 days'
    offset 0
) as hit
