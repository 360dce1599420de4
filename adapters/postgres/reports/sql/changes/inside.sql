-- inside
-- The hits of the period that can satisfy a rule, up to the last cut.
select site_id, visitor_id, position, occurred_at, type, pathname, event_name, properties
from hit
where {selection/hits_inside} and type in ('pageview', 'custom_event') and position <= %(until)s
