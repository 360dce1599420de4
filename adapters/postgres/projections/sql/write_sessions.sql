-- write_sessions
insert into session (
    site_id, session_id, visitor_id, started_at, ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, user_id,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
    browser_version, operating_system, operating_system_version, device_type, country, region, city
)
select
    session_delta.site_id, session_delta.session_id, session_delta.visitor_id, session_delta.started_at, session_delta.ended_at,
    pageviews, custom_events, performance_measures, outbound_clicks, errors,
    entry_at, exit_at, user_at, entry_page, exit_page, session_delta.user_id,
    hostname, referrer, channel, utm_source, utm_medium, utm_campaign, utm_term, utm_content, language, browser,
    browser_version, operating_system, operating_system_version, device_type, country, region, city
from session_delta
join slice on slice.position = session_delta.first_position
on conflict (site_id, session_id) do update set
    started_at = excluded.started_at,
    ended_at = excluded.ended_at,
    pageviews = session.pageviews + excluded.pageviews,
    custom_events = session.custom_events + excluded.custom_events,
    performance_measures = session.performance_measures + excluded.performance_measures,
    outbound_clicks = session.outbound_clicks + excluded.outbound_clicks,
    errors = session.errors + excluded.errors,
    entry_at = least(session.entry_at, excluded.entry_at),
    exit_at = greatest(session.exit_at, excluded.exit_at),
    user_at = greatest(session.user_at, excluded.user_at),
    entry_page = case
        when session.entry_at is null or excluded.entry_at < session.entry_at then excluded.entry_page
        else session.entry_page
    end,
    exit_page = case
        when session.exit_at is null or excluded.exit_at >= session.exit_at then excluded.exit_page
        else session.exit_page
    end,
    user_id = case
        when session.user_at is null or excluded.user_at >= session.user_at then excluded.user_id
        else session.user_id
    end,
    hostname = case when excluded.started_at < session.started_at then excluded.hostname else session.hostname end,
    referrer = case when excluded.started_at < session.started_at then excluded.referrer else session.referrer end,
    channel = case when excluded.started_at < session.started_at then excluded.channel else session.channel end,
    utm_source = case when excluded.started_at < session.started_at then excluded.utm_source else session.utm_source end,
    utm_medium = case when excluded.started_at < session.started_at then excluded.utm_medium else session.utm_medium end,
    utm_campaign = case when excluded.started_at < session.started_at then excluded.utm_campaign else session.utm_campaign end,
    utm_term = case when excluded.started_at < session.started_at then excluded.utm_term else session.utm_term end,
    utm_content = case when excluded.started_at < session.started_at then excluded.utm_content else session.utm_content end,
    language = case when excluded.started_at < session.started_at then excluded.language else session.language end,
    browser = case when excluded.started_at < session.started_at then excluded.browser else session.browser end,
    browser_version = case when excluded.started_at < session.started_at then excluded.browser_version else session.browser_version end,
    operating_system = case when excluded.started_at < session.started_at then excluded.operating_system else session.operating_system end,
    operating_system_version = case when excluded.started_at < session.started_at then excluded.operating_system_version else session.operating_system_version end,
    device_type = case when excluded.started_at < session.started_at then excluded.device_type else session.device_type end,
    country = case when excluded.started_at < session.started_at then excluded.country else session.country end,
    region = case when excluded.started_at < session.started_at then excluded.region else session.region end,
    city = case when excluded.started_at < session.started_at then excluded.city else session.city end
