-- trail
-- A hit belongs to its visitor's latest session that began with it or before it in the log.
select hit.*
from session
join hit on hit.site_id = session.site_id and hit.visitor_id = session.visitor_id
    and hit.occurred_at >= session.started_at and hit.occurred_at <= session.ended_at
where session.site_id = %(site_id)s and session.session_id = %(session_id)s
    and hit.position >= session.session_id
    and hit.occurred_at >= session.started_at and hit.occurred_at <= %(at)s
    and (hit.occurred_at, hit.position) <= (%(at)s, %(position)s)
    and hit.type <> 'performance'
    and hit.position <= (select position from projection_checkpoint where name = 'reports')
    and not exists (
        select
        from session as later
        where later.site_id = session.site_id and later.visitor_id = session.visitor_id
            and later.session_id > session.session_id and later.session_id <= hit.position
    )
order by hit.occurred_at desc, hit.position desc
limit %(limit)s
