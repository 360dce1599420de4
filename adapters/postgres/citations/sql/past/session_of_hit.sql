-- session_of_hit
-- A hit belongs to its visitor's latest session that began with it or before it in the log.
cross join lateral (
    select session_id
    from {schema}.session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and session.session_id <= hit.position
    order by session.session_id desc
    limit 1
) as its
