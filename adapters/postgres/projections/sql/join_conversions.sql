-- join_conversions
-- Those of sessions that are cut are found among their hits.
insert into matches
select conversion.site_id, target_id, number, first_at, last_at
from regrouped
join conversion using (site_id, session_id)
where sign < 0 and target_id is not null
