-- write_joined
insert into session (
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
    browser_version, operating_system, operating_system_version, device_type, country, region, city
)
select
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
    browser_version, operating_system, operating_system_version, device_type, country, region, city
from regrouped
where sign > 0
