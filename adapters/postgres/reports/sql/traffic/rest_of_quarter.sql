-- rest_of_quarter
-- What the beginning of a quarter of an hour adds to the sums of the quarters before it: its hits, and the sessions that
-- started in it. Those that had started before are in the sums; their visitors are not counted again.
with started as (
    select
        visitor_id, view_of(pageviews) as view, bounce_of(pageviews, custom_events, outbound_clicks) as bounce,
        floor(date_part('epoch', ended_at - started_at))::bigint as seconds
    from session
    where site_id = %(site_id)s and started_at >= %(inner_end)s and started_at < %(end)s
),
counted as (
    select type, count(*) as hits
    from hit
    where hit.site_id = %(site_id)s and hit.occurred_at >= %(inner_end)s and hit.occurred_at < %(end)s
        and type in ('pageview', 'custom_event') and {selection/projected}
    group by type
)
select
    count(*) as sessions, coalesce(sum(view), 0)::bigint as sessions_with_pageviews,
    coalesce(sum(bounce), 0)::bigint as bounces, coalesce(sum(seconds), 0)::bigint as seconds,
    coalesce((select hits from counted where type = 'pageview'), 0) as pageviews,
    coalesce((select hits from counted where type = 'custom_event'), 0) as events,
    (
        select count(*)
        from (select distinct visitor_id from started) as visitor
        where not exists (
            select
            from session as earlier
            where earlier.site_id = %(site_id)s and earlier.visitor_id = visitor.visitor_id
                and earlier.started_at < %(inner_end)s and earlier.ended_at >= %(start)s
        )
    ) as visitors
from started
