-- take_following_hits
-- The hits by which changed sessions went on when all hits are later.
insert into later_slice (
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    language, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city
)
with open as materialized (
    select session.session_id, session.visitor_id, session.ended_at
    from changed_session
    join {schema}.session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
    where session.ended_at >= %(later_since)s
)
select
    its.session_id, hit.position, hit.site_id, hit.visitor_id, hit.occurred_at, hit.type, hit.user_id, hit.pathname,
    hit.page_title, hit.event_name, hit.properties,
    hit.hostname, hit.referrer, hit.channel, hit.utm_source, hit.utm_medium, hit.utm_campaign, hit.utm_term, hit.utm_content,
    hit.language, hit.browser, hit.browser_version, hit.operating_system, hit.operating_system_version, hit.device_type,
    hit.country, hit.region, hit.city
from (
    select *
    from {schema}.hit
    where hit.site_id = %(site_id)s and occurred_at >= %(later_since)s and occurred_at <= (select max(ended_at) from open)
        and position <= %(checkpoint)s and visitor_id in (select visitor_id from open)
    offset 0
) as hit
{session_of_hit}
where its.session_id in (select session_id from open)
limit %(limit)s
