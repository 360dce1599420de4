-- Measures of pages, and the pageviews that they name.

-- name: pageview_of_measure
-- A tracked hit happened at most 30 days before it was received, and 5 minutes after that: few months are looked at.
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

-- name: settle
-- Measures that have been stored for so long that no pageview can come that they would count for: those without one go. Each is
-- looked at once, until months of hits are dropped.
with taken as materialized (
    select position, site_id, pageview_key, received_at
    from engagement
    where position > (select position from engagement_settled)
        and position <= (
            select traffic from position_minute where minute <= %(before)s order by minute desc limit 1
        )
    order by position
    limit 5000
),
gone as (
    delete from engagement
    where position in (
        select measure.position
        from taken as measure
        where not exists (
            select
            from (select) as one
            {pageview_of_measure}
        )
    )
)
update engagement_settled
set position = (select max(position) from taken)
where exists (select from taken)
