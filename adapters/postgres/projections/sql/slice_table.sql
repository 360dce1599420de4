-- slice_table
-- Hits that are `again` in it have been folded before: their sessions are formed anew.
create temporary table if not exists slice on commit delete rows as
select
    position as session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name,
    properties, {first_hit_attributes}, release, false as again
from hit
with no data
