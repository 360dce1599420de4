-- take_hits_again
insert into slice
select
    target_id, hit.position, hit.site_id, hit.visitor_id, hit.occurred_at, hit.type, hit.user_id, hit.pathname, hit.page_title,
    hit.event_name, hit.properties, hit.hostname, hit.referrer, hit.channel, hit.utm_source, hit.utm_medium,
    hit.utm_campaign, hit.utm_term, hit.utm_content, hit.language, hit.browser, hit.browser_version,
    hit.operating_system, hit.operating_system_version, hit.device_type, hit.country, hit.region, hit.city, hit.release,
    true
from placed
join hit on hit.position = placed.number and hit.occurred_at = placed.started_at
where kind = 'again'
