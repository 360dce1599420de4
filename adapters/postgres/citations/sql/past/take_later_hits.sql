-- take_later_hits
-- The hits that are put aside, in quarters of an hour that have others, too, with their sessions.
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
    from ({touched}) as touched
    cross join lateral (
        select *
        from {schema}.hit
        where hit.site_id = %(site_id)s and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
            and {is_aside} and position <= %(checkpoint)s
            and occurred_at >= %(since)s and occurred_at < %(until)s
        offset 0
    ) as hit
    limit %(limit)s
) as hit
{session_of_hit}
