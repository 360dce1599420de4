-- sessions
with {selected}
select
    session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    {attributes}
from selected
