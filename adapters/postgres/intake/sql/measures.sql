-- Measures of pages, and the pageviews that they name.

-- name: pageview
-- The pageviews that the measures of `measure` name, each with the position of its measure. A tracked hit was received at most
-- MATCHING_SPAN before or after its measure, and happened at most MOST_BEHIND before it was received and MOST_AHEAD after that: few
-- months are looked at.
select measure.position as measured_at, measure.site_id, hit.*
from measure
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
-- In the months that are looked at each time has keys of its own: the first row is the one.
select pageview_key
from (
    (
        select pageview_key, 1 as number
        from hit
        where pageview_key >= %(first)s and pageview_key <= %(last)s and site_id = %(site_id)s
            and received_at between %(since)s and %(now)s
            and occurred_at >= %(since)s
        order by pageview_key desc
        limit 1
    )
    union all
    (
        select pageview_key, 2 as number
        from hit
        where pageview_key >= %(first_before)s and pageview_key <= %(last_before)s and site_id = %(site_id)s
            and received_at between %(since)s and %(now)s
            and occurred_at >= %(since)s
        order by pageview_key desc
        limit 1
    )
    order by number
    limit 1
) as found

-- name: lock_pageviews
-- A few locks stand for all pageviews: a server with default settings has room for 6,400 in all, of all transactions. They are
-- taken in one order, so that there are no deadlocks.
select pg_advisory_xact_lock(lock_class(), part)
from (
    select distinct 1000 + (pageview_key & 63)::integer as part
    from unnest(%(keys)s::bigint[]) as pageview_key
    order by part
    offset 0
) as asked

-- name: reported_times
select site_id, pageview_key, coalesce(max(engaged_ms), 0) as engaged_ms
from engagement
where site_id = any(%(sites)s) and pageview_key = any(%(keys)s)
group by site_id, pageview_key
