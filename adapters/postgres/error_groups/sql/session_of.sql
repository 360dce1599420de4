-- session_of
select its.session_id
from hit
cross join lateral (
    select session_id
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as its
where hit.position = %(position)s and hit.site_id = %(site_id)s
    and hit.position <= (select position from projection_checkpoint where name = 'reports')
