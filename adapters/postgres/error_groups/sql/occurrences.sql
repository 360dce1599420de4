-- occurrences
select hit.*, sighting.session_id, session.user_id as session_user
from hit
cross join lateral (
    select session_id
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and session_id <= hit.position
    order by session_id desc
    limit 1
) as sighting
join session on session.site_id = hit.site_id and session.session_id = sighting.session_id
where hit.position = any(%(positions)s::bigint[]) and hit.site_id = %(site_id)s
