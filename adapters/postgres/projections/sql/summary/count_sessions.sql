-- count_sessions
insert into counted_breakdown (site_id, day, dimension, value, count, open_at_start)
select
    %(site_id)s, %(day)s,
    case
        when grouping(channel) = 0 then 'channel'
        when grouping(referrer) = 0 then 'referrer'
        when grouping(utm_source) = 0 then 'utm_source'
        when grouping(utm_medium) = 0 then 'utm_medium'
        when grouping(utm_campaign) = 0 then 'utm_campaign'
        when grouping(utm_term) = 0 then 'utm_term'
        when grouping(utm_content) = 0 then 'utm_content'
        when grouping(entry_page) = 0 then 'entry_page'
        when grouping(exit_page) = 0 then 'exit_page'
        when grouping(country) = 0 then 'country'
        when grouping(region) = 0 then 'region'
        when grouping(city) = 0 then 'city'
        when grouping(browser) = 0 then 'browser'
        when grouping(operating_system) = 0 then 'operating_system'
        when grouping(device_type) = 0 then 'device_type'
        when grouping(language) = 0 then 'language'
        when grouping(hostname) = 0 then 'hostname'
    end::breakdown_dimension as dimension,
    coalesce(
        channel, referrer, utm_source, utm_medium, utm_campaign, utm_term, utm_content, entry_page, exit_page,
        country, region, city, browser, operating_system, device_type, language, hostname
    ) as value,
    count(*) filter (where started_at >= %(day)s), count(*) filter (where started_at < %(day)s)
from (
    select
        started_at,
        coalesce(channel, '') as channel,
        coalesce(referrer, '') as referrer,
        coalesce(utm_source, '') as utm_source,
        coalesce(utm_medium, '') as utm_medium,
        coalesce(utm_campaign, '') as utm_campaign,
        coalesce(utm_term, '') as utm_term,
        coalesce(utm_content, '') as utm_content,
        coalesce(entry_page, '') as entry_page,
        coalesce(exit_page, '') as exit_page,
        coalesce(country, '') as country,
        coalesce(region, '') as region,
        coalesce(city, '') as city,
        coalesce(browser, '') as browser,
        coalesce(operating_system, '') as operating_system,
        coalesce(device_type, '') as device_type,
        coalesce(language, '') as language,
        coalesce(hostname, '') as hostname
    from session
    where site_id = %(site_id)s
        and started_at >= %(day)s::timestamptz - interval '24 hours'
        and started_at < %(day)s::timestamptz + interval '24 hours'
        and ended_at >= %(day)s
) as known
group by grouping sets (
    channel, referrer, utm_source, utm_medium, utm_campaign, utm_term, utm_content, entry_page, exit_page, country,
    region, city, browser, operating_system, device_type, language, hostname
)
order by dimension
