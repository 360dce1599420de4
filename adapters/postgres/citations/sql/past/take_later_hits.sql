-- take_later_hits
insert into later_slice (
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    language, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city
)
select
    its.session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    language, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city
from (
    select hit.*
    from unnest(%(days)s::timestamptz[]) as day
    join {schema}.hit on hit.site_id = %(site_id)s and occurred_at >= day and occurred_at < day + interval '24 hours'
    where position > %(traffic)s and position <= %(checkpoint)s
        and occurred_at >= %(since)s and occurred_at < %(until)s
    limit %(limit)s
) as hit
cross join lateral (
    select session_id
    from {schema}.session
    where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and session.session_id <= hit.position
    order by session.session_id desc
    limit 1
) as its
