-- trail
-- A hit belongs to the session of its visitor that spans its time.
select hit.*
from session
join hit on hit.site_id = session.site_id and hit.visitor_id = session.visitor_id
    and hit.occurred_at >= session.started_at and hit.occurred_at <= session.ended_at
where session.site_id = %(site_id)s and session.session_id = %(session_id)s
    and hit.occurred_at <= %(at)s
    and (hit.occurred_at, hit.position) <= (%(at)s, %(position)s)
    and hit.type <> 'performance'
    and hit.position <= (select position from projection_checkpoint where name = 'reports')
order by hit.occurred_at desc, hit.position desc
limit %(limit)s
