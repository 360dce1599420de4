-- take_earlier_hits
-- The other hits of changed sessions. A session keeps its hits, so that its present extent holds all of them:
-- of these stretches of time the hits are read once.
insert into slice (
    session_id, position, site_id, visitor_id, occurred_at, type, user_id, pathname, page_title, event_name, properties,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content,
    language, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city
)
with old as materialized (
    select
        session.session_id, session.visitor_id, session.started_at,
        least(session.ended_at, %(later_since)s::timestamptz) as ended_at
    from changed_session
    join {schema}.session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
    where changed_session.session_id <= %(last)s
),
stretch as materialized (
    select lower(span) as since, upper(span) as until
    from (select unnest(range_agg(tstzrange(started_at, ended_at, '[]'))) as span from old) as merged
)
select
    its.session_id, hit.position, hit.site_id, hit.visitor_id, hit.occurred_at, hit.type, hit.user_id, hit.pathname,
    hit.page_title, hit.event_name, hit.properties,
    hit.hostname, hit.referrer, hit.channel, hit.utm_source, hit.utm_medium, hit.utm_campaign, hit.utm_term, hit.utm_content,
    hit.language, hit.browser, hit.browser_version, hit.operating_system, hit.operating_system_version, hit.device_type,
    hit.country, hit.region, hit.city
from stretch
cross join lateral (
    select *
    from {schema}.hit
    where hit.site_id = %(site_id)s and occurred_at >= stretch.since and occurred_at <= stretch.until
        and not {is_aside} and visitor_id in (select visitor_id from old)
    offset 0
) as hit
{session_of_hit}
where its.session_id in (select session_id from old)
limit %(limit)s
