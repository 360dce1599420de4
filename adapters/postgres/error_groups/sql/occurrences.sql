-- occurrences
select hit.*, sighting.session_id, sighting.known_user
from hit
cross join lateral (
    select session_id, user_id as known_user
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as sighting
where hit.position = any(%(positions)s::bigint[]) and hit.site_id = %(site_id)s
