-- sessions
select session.*, quarters, quarter_pageviews, quarter_custom_events
from sessions as session
{quarters}
order by started_at, session_id
