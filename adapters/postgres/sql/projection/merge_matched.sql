-- merge_matched
insert into converted
select
    site_id, session_id, matched.number,
    least(matched.first_at, conversion.first_at), greatest(matched.last_at, conversion.last_at), session.ended_at,
    conversion.first_at, conversion.last_at
from matched
join session using (site_id, session_id)
left join conversion using (site_id, session_id, number)
