-- collect_changed_sessions
-- Sessions that hits after the position belong to, those that began after it among them.
insert into changed_session
select distinct its.session_id
from (
    select site_id, visitor_id, position
    from hit
    where site_id = %(site_id)s and position > %(traffic)s and position <= %(checkpoint)s
        and occurred_at >= %(since)s and occurred_at < %(until)s
    limit %(limit)s
) as hit
cross join lateral (
    select session_id
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and session_id <= hit.position
    order by session_id desc
    limit 1
) as its
