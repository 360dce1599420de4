-- pieces_of_hits
-- Only hits of some stretches of time can be of sessions that cross an edge between pieces.
select
    {piece} as piece, any_value(crossing.visitor_id), count(*) filter (type = 'pageview'),
    count(*) filter (type = 'custom_event'), any_value(viewed), any_value(bounced), any_value(seconds)
from (
    select session_id, occurred_at, type
    from hit
    where occurred_at >= $start and occurred_at < $end and {near_edges}
) as hit
join crossing using (session_id)
group by piece, session_id
