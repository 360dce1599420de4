-- pieces_of_quarters
-- A session that touches several quarters of an hour says what it has in each. The lists are read for sessions that cross an
-- edge only.
select
    {piece} as piece, any_value(visitor_id), sum(quarter_pageviews)::bigint,
    sum(quarter_custom_events)::bigint, any_value(viewed), any_value(bounced), any_value(seconds)
from (
    select
        session_id, visitor_id, viewed, bounced, seconds, unnest(quarters) as quarter,
        unnest(quarter_pageviews) as quarter_pageviews, unnest(quarter_custom_events) as quarter_custom_events
    from crossing
    join (
        select session_id, quarters, quarter_pageviews, quarter_custom_events from session
    ) as session using (session_id)
) as touched
where quarter >= $start and quarter < $end
group by piece, session_id
