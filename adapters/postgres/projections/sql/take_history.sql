-- take_history
insert into slice (session_id, position, site_id, visitor_id, occurred_at, type, pathname, event_name, properties)
select
    session.session_id, position, hit.site_id, hit.visitor_id, occurred_at, type, pathname, event_name, properties
from hit
cross join lateral (
    select session_id
    from session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and started_at <= hit.occurred_at
    order by started_at desc
    limit 1
) as session
where hit.site_id = %(site_id)s
    and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
    and position <= %(position)s
    and type in ('pageview', 'custom_event')
