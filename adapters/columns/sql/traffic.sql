-- Traffic in the pieces of a chart, from files.

-- name: count
select count(*) from sessions

-- name: placed
-- The pieces in which sessions begin and end: -1 before the first one, -2 after the last one.
select
    session_id, counted_visitor, pageviews, custom_events, (pageviews > 0)::bigint as viewed,
    (pageviews = 1 and custom_events = 0 and outbound_clicks = 0)::bigint as bounced,
    (epoch_us(ended_at) - epoch_us(started_at)) // 1000000 as seconds,
    (engaged_pageviews > 0)::bigint as engaged, engaged_ms,
    case when started_at >= $start then piece_of_start else -1 end as first_piece,
    case when ended_at < $end then piece_of_end else -2 end as last_piece
from sessions

-- name: traffic
-- A session that lies in one piece is counted there as a whole; its quarters of an hour, or its hits, say in which pieces
-- another one lies: these are `crossed`.
with part as (
    select first_piece as piece, counted_visitor, pageviews, custom_events, viewed, bounced, seconds, engaged, engaged_ms
    from placed
    where first_piece = last_piece
    union all
    select
        piece, any_value(counted_visitor), sum(pageviews)::bigint, sum(custom_events)::bigint, any_value(viewed),
        any_value(bounced), any_value(seconds), any_value(engaged), any_value(engaged_ms)
    from crossed
    group by piece, session_id
),
counted as (
    select
        piece, count(*) as sessions, sum(pageviews)::bigint as pageviews, sum(custom_events)::bigint as events,
        sum(viewed)::bigint as sessions_with_pageviews, sum(bounced)::bigint as bounces, sum(seconds)::bigint as seconds,
        coalesce(sum(engaged), 0)::bigint as engaged_sessions, coalesce(sum(engaged_ms), 0)::bigint as engaged_ms
    from part
    group by piece
),
distinct_visitors as (
    select piece, count(*) as visitors
    from (select distinct piece, counted_visitor from part)
    group by piece
)
select
    piece, sessions, visitors, pageviews, events, sessions_with_pageviews, bounces, seconds, engaged_sessions, engaged_ms
from distinct_visitors
join counted using (piece)

-- name: crossing
select * from placed where first_piece is distinct from last_piece

-- name: quarters
-- A session that touches several quarters of an hour says what it has in each. The lists are read for sessions that cross an
-- edge only.
select *
from (
    select
        session_id, counted_visitor, viewed, bounced, seconds, engaged, engaged_ms, unnest(quarters) as "at",
        unnest(quarter_pageviews) as pageviews, unnest(quarter_custom_events) as custom_events
    from crossing
    join (
        select session_id, quarters, quarter_pageviews, quarter_custom_events from session
    ) as session using (session_id)
) as touched
where "at" >= $start and "at" < $end

-- name: hits
-- Only hits of some stretches of time can be of sessions that cross an edge between pieces.
select
    crossing.* exclude (pageviews, custom_events), occurred_at as "at", (type = 'pageview')::bigint as pageviews,
    (type = 'custom_event')::bigint as custom_events
from (select session_id, occurred_at, type from near_edges) as hit
join crossing using (session_id)
