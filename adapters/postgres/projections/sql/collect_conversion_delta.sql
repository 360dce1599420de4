-- collect_conversion_delta
insert into conversion_delta
select
    site_id, session_id, matches.number,
    least(matches.first_at, conversion.first_at), greatest(matches.last_at, conversion.last_at), session.ended_at,
    conversion.first_at, conversion.last_at
from (
    select site_id, session_id, number, min(first_at) as first_at, max(last_at) as last_at
    from matches
    group by site_id, session_id, number
) as matches
join session using (site_id, session_id)
left join conversion using (site_id, session_id, number)
