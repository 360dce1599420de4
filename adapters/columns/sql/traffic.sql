-- Traffic in the pieces of a chart, from files.

-- name: count
select count(*)
from ({sessions}) as session

-- name: traffic
-- A session that lies in one piece is counted there as a whole; its quarters of an hour, or its hits, say in which pieces
-- another one lies.
with placed as (
    select
        session_id, counted_visitor, pageviews, custom_events, (pageviews > 0)::bigint as viewed,
        (pageviews = 1 and custom_events = 0 and outbound_clicks = 0)::bigint as bounced,
        (epoch_us(ended_at) - epoch_us(started_at)) // 1000000 as seconds,
        (engaged_pageviews > 0)::bigint as engaged, engaged_ms,
        case when started_at >= $start then {piece_of_start} else -1 end as first_piece,
        case when ended_at < $end then {piece_of_end} else -2 end as last_piece
    from ({of_sessions}) as session
),
crossing as (
    select * from placed where first_piece is distinct from last_piece
),
part as (
    select first_piece as piece, counted_visitor, pageviews, custom_events, viewed, bounced, seconds, engaged, engaged_ms
    from placed
    where first_piece = last_piece
    union all
    {pieces_of_crossing}
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

-- name: piece_of_run
when {at} < {until} then {first} + ({at} - {since}) // {length}

-- name: pieces_of_quarters
-- A session that touches several quarters of an hour says what it has in each. The lists are read for sessions that cross an
-- edge only.
select
    {piece} as piece, any_value(counted_visitor), sum(quarter_pageviews)::bigint,
    sum(quarter_custom_events)::bigint, any_value(viewed), any_value(bounced), any_value(seconds), any_value(engaged),
    any_value(engaged_ms)
from (
    select
        session_id, counted_visitor, viewed, bounced, seconds, engaged, engaged_ms, unnest(quarters) as quarter,
        unnest(quarter_pageviews) as quarter_pageviews, unnest(quarter_custom_events) as quarter_custom_events
    from crossing
    join (
        select session_id, quarters, quarter_pageviews, quarter_custom_events from session
    ) as session using (session_id)
) as touched
where quarter >= $start and quarter < $end
group by piece, session_id

-- name: pieces_of_hits
-- Only hits of some stretches of time can be of sessions that cross an edge between pieces.
select
    {piece} as piece, any_value(crossing.counted_visitor), count(*) filter (type = 'pageview'),
    count(*) filter (type = 'custom_event'), any_value(viewed), any_value(bounced), any_value(seconds), any_value(engaged),
    any_value(engaged_ms)
from (
    select session_id, occurred_at, type
    from hit
    where occurred_at >= $start and occurred_at < $end and {near_edges}
) as hit
join crossing using (session_id)
group by piece, session_id
