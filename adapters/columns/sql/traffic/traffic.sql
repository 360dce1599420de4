-- traffic
-- A session that lies in one piece is counted there as a whole; its quarters of an hour, or its hits, say in which pieces
-- another one lies.
with placed as (
    select
        session_id, visitor_id, pageviews, custom_events, (pageviews > 0)::bigint as viewed,
        (pageviews = 1 and custom_events = 0 and outbound_clicks = 0)::bigint as bounced,
        (epoch_us(ended_at) - epoch_us(started_at)) // 1000000 as seconds,
        case when started_at >= $start then {piece_of_start} else -1 end as first_piece,
        case when ended_at < $end then {piece_of_end} else -2 end as last_piece
    from ({sessions}) as session
),
crossing as (
    select * from placed where first_piece is distinct from last_piece
),
part as (
    select first_piece as piece, visitor_id, pageviews, custom_events, viewed, bounced, seconds
    from placed
    where first_piece = last_piece
    union all
    {pieces_of_crossing}
),
counted as (
    select
        piece, count(*) as sessions, sum(pageviews)::bigint as pageviews, sum(custom_events)::bigint as events,
        sum(viewed)::bigint as sessions_with_pageviews, sum(bounced)::bigint as bounces, sum(seconds)::bigint as seconds
    from part
    group by piece
),
distinct_visitors as (
    select piece, count(*) as visitors
    from (select distinct piece, visitor_id from part)
    group by piece
)
select
    piece, sessions, visitors, pageviews, events, sessions_with_pageviews, bounces, seconds
from distinct_visitors
join counted using (piece)
