-- inside
-- The hits that can satisfy a rule.
select site_id, visitor_id, position, occurred_at, type, pathname, event_name, properties
from {hits}
