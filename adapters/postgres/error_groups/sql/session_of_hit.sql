-- session_of_hit
-- A hit belongs to its visitor's latest session that starts at or before its time.
cross join lateral (
    select session_id, user_id as known_user
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as sighting
