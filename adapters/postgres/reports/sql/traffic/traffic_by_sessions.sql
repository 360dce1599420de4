-- traffic_by_sessions
-- A session that lies in one piece is counted there as a whole; the log says in which pieces another one has hits.
with {selection/selected},
placed as (
    select
        session_id, site_id, visitor_id, started_at, ended_at, pageviews, custom_events,
        view_of(pageviews) as view, bounce_of(pageviews, custom_events, outbound_clicks) as bounce,
        floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
        width_bucket(started_at, %(edges)s::timestamptz[]) as first_piece,
        width_bucket(ended_at, %(edges)s::timestamptz[]) as last_piece
    from selected
),
part as (
    select first_piece as piece, visitor_id, pageviews, custom_events, view, bounce, seconds
    from placed
    where first_piece = last_piece
    union all
    select
        width_bucket(occurred_at, %(edges)s::timestamptz[]), min(visitor_id),
        count(*) filter (where type = 'pageview'), count(*) filter (where type = 'custom_event'),
        min(view), min(bounce), min(seconds)
    from (
        select hit.site_id, hit.visitor_id, hit.position, hit.occurred_at, hit.type, placed.session_id, view, bounce, seconds
        from placed
        join hit on hit.site_id = placed.site_id and hit.visitor_id = placed.visitor_id
            and hit.occurred_at >= placed.started_at and hit.occurred_at <= placed.ended_at
        where first_piece <> last_piece
            and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and {selection/projected}
        -- Planned for itself: beside the look for its session, which is a nested loop, all joins cost the same to PostgreSQL
        -- before version 18 where nested loops are avoided.
        offset 0
    ) as hit
    {selection/session_of_hit}
    where its.session_id = hit.session_id
    group by 1, hit.session_id
)
select
    piece, count(*) as sessions, count(distinct visitor_id) as visitors, sum(pageviews)::bigint as pageviews,
    sum(custom_events)::bigint as events, sum(view)::bigint as sessions_with_pageviews,
    sum(bounce)::bigint as bounces, sum(seconds)::bigint as seconds
from part
group by piece
