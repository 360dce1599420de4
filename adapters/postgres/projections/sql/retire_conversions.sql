-- retire_conversions
insert into conversion_delta (site_id, session_id, number, was_first_at, was_last_at)
select conversion.site_id, session_id, number, first_at, last_at
from regrouped
join conversion using (site_id, session_id)
where sign < 0
