-- traffic
-- A session that lies in one piece is counted there as a whole; the log says in which pieces another one has hits.
with {sessions},
placed as materialized (
    select
        session_id, visitor_id, started_at, ended_at, pageviews, custom_events,
        view_of(pageviews) as view, bounce_of(pageviews, custom_events, outbound_clicks) as bounce,
        floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
        width_bucket(started_at, %(edges)s::timestamptz[]) as first_piece,
        width_bucket(ended_at, %(edges)s::timestamptz[]) as last_piece
    from selected
),
crossing as materialized (
    select * from placed where first_piece <> last_piece
),
crossed as materialized (
    select lower(span) as since, upper(span) as until
    from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from crossing) as merged
),
crossed_hit as materialized (
    select hit.site_id, hit.visitor_id, position, occurred_at, type
    from crossed
    cross join lateral (
        select *
        from hit
        where hit.site_id = %(site_id)s and occurred_at >= crossed.since and occurred_at <= crossed.until
            and occurred_at >= %(start)s and occurred_at < %(end)s and {selection/projected}
        offset 0
    ) as hit
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
        select hit.site_id, hit.visitor_id, position, occurred_at, type, crossing.session_id, view, bounce, seconds
        from crossed_hit as hit
        join crossing on hit.visitor_id = crossing.visitor_id
            and hit.occurred_at >= crossing.started_at and hit.occurred_at <= crossing.ended_at
        -- As in traffic_by_sessions: planned for itself, as are the hits.
        offset 0
    ) as hit
    {selection/session_of_hit}
    where its.session_id = hit.session_id
    group by 1, hit.session_id
)
select
    piece, count(*) as sessions, json_agg(distinct visitor_id)::text as visitors, sum(pageviews)::bigint as pageviews,
    sum(custom_events)::bigint as events, sum(view)::bigint as sessions_with_pageviews,
    sum(bounce)::bigint as bounces, sum(seconds)::bigint as seconds
from part
group by piece
