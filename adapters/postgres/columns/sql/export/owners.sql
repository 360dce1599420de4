-- owners
-- A hit lies within its session, which lasts a day at most: no other session can own a hit of the span.
select session_id, visitor_id, started_at
from session
where site_id = {site_id}
    and started_at >= {start}::timestamptz - interval '24 hours' and started_at <= {end}::timestamptz
