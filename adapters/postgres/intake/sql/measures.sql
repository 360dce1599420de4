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

-- name: newest_pageview
-- The keys of a page end with the times of its pageviews, over and over: those up to the present are later than the others.
select
    pageview_key,
    coalesce(
        (
            select max(engaged_ms)
            from engagement
            where engagement.site_id = %(site_id)s and engagement.pageview_key = found.pageview_key
        ),
        0
    ) as engaged_ms
from (
    (
        select pageview_key, 1 as number
        from hit
        where pageview_key >= %(first)s and pageview_key <= %(newest)s and site_id = %(site_id)s
            and received_at between %(since)s and %(now)s
            and occurred_at >= %(since)s
        order by pageview_key desc
        limit 1
    )
    union all
    (
        select pageview_key, 2 as number
        from hit
        where pageview_key > %(newest)s and pageview_key <= %(last)s and site_id = %(site_id)s
            and received_at between %(since)s and %(now)s
            and occurred_at >= %(since)s
        order by pageview_key desc
        limit 1
    )
    order by number
    limit 1
) as found
