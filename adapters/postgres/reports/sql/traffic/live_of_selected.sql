-- live_of_selected
-- Filters select among the sessions of those who had hits in the half hour; the hits are then those of selected sessions.
with happened as materialized (
    select visitor_id, occurred_at, position, type, pathname
    from hit
    where {selection/hits_inside}
),
selected as materialized (
    select session.*
    from (select distinct visitor_id from happened) as visitor
    join session on session.site_id = %(site_id)s and session.visitor_id = visitor.visitor_id
    where {conditions}
),
recent as materialized (
    select happened.*
    from happened
    join selected on selected.visitor_id = happened.visitor_id
        and occurred_at >= selected.started_at and occurred_at <= selected.ended_at
),
visited as materialized (
    select visitor_id, {host} as source, coalesce(country, '') as country from selected
),
{live_counts}
