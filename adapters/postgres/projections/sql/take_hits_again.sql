-- take_hits_again
insert into slice
select
    target_id, hit.position, hit.site_id, hit.visitor_id, hit.occurred_at, hit.type, hit.user_id, hit.pathname, hit.page_title,
    hit.event_name, hit.properties, {first_hit_attributes}, hit.release,
    true
from placed
join hit on hit.position = placed.number and hit.occurred_at = placed.started_at
where kind = 'again'
