-- live
-- The visitors are those of the hits. Of their sessions those count that reach into the half hour: no pause is longer, so
-- these have hits in it.
with recent as materialized (
    select visitor_id, occurred_at, position, type, pathname
    from hit
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {selection/projected}
),
visited as materialized (
    select session.visitor_id, {host} as source, coalesce(session.country, '') as country
    from (select distinct visitor_id from recent) as visitor
    cross join lateral (
        select visitor_id, referrer, country
        from session
        where session.site_id = %(site_id)s and session.visitor_id = visitor.visitor_id
            and started_at < %(end)s and ended_at >= %(start)s
    ) as session
),
{live_counts}
