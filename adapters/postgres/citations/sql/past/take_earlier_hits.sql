-- take_earlier_hits
-- The hits of changed sessions up to the position. A session keeps its hits, so that its present extent holds all of them.
insert into slice (
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    language, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city
)
select
    session.session_id, hit.position, hit.site_id, hit.visitor_id, hit.occurred_at, hit.type, hit.user_id, hit.pathname,
    hit.page_title, hit.event_name, hit.properties,
    hit.hostname, hit.referrer, hit.channel, hit.utm_source, hit.utm_medium, hit.utm_campaign, hit.utm_term, hit.utm_content,
    hit.language, hit.browser, hit.browser_version, hit.operating_system, hit.operating_system_version, hit.device_type,
    hit.country, hit.region, hit.city
from changed_session
join {schema}.session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
join {schema}.hit on hit.site_id = session.site_id and hit.visitor_id = session.visitor_id
    and hit.occurred_at >= session.started_at and hit.occurred_at <= session.ended_at
cross join lateral (
    select session_id
    from {schema}.session as own
    where own.site_id = hit.site_id and own.visitor_id = hit.visitor_id and own.session_id <= hit.position
    order by own.session_id desc
    limit 1
) as its
where changed_session.session_id <= %(traffic)s and its.session_id = session.session_id and hit.position <= %(traffic)s
limit %(limit)s
