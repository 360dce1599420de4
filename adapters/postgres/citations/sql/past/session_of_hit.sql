-- session_of_hit
-- A hit belongs to its visitor's latest session that starts at or before its time.
cross join lateral (
    select session_id, visitor_id, started_at, ended_at
    from {schema}.session
    where session.site_id = %(site_id)s and session.visitor_id = hit.visitor_id and session.started_at <= hit.occurred_at
    order by session.started_at desc
    limit 1
) as its
