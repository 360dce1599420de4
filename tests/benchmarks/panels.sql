-- panels: believable traffic of one site over the 90 days before this moment; %(sessions)s sessions of about 4.5 hits
insert into hit (
    site_id, visitor_id, occurred_at, received_at, type, hostname, pathname, page_title, referrer, channel,
    utm_source, utm_medium, utm_campaign, language, screen_width, screen_height,
    browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city, event_name, properties, lcp, cls, inp, fcp, ttfb
)
select
    1, visitor_id, at, at, type::hit_type, 'example.com', pathname, 'About ' || pathname, referrer, channel,
    utm_source, case when utm_source is not null then 'email' end, utm_campaign, language, 1920, 1080,
    browser, '140', system, '10', device, country, country || '-' || (place %% 9), 'City ' || (place %% 200),
    case when type = 'custom_event' then (array['signup', 'order', 'video', 'share'])[1 + floor(random() * 4)::int] end,
    case
        when type = 'custom_event' then jsonb_build_object('plan', (array['pro', 'free'])[1 + floor(random() * 2)::int])
        when type = 'outbound' then jsonb_build_object('url', 'https://elsewhere.example/' || floor(random() * random() * 500))
    end,
    case when type = 'performance' then round((1400 * exp(slow))::numeric, 1) end,
    case when type = 'performance' then round((0.05 * exp(slow))::numeric, 4) end,
    case when type = 'performance' and place %% 3 > 0 then 8 * round(12 * exp(slow)) end,
    case when type = 'performance' then round((900 * exp(slow))::numeric, 1) end,
    case when type = 'performance' then round((300 * exp(slow))::numeric, 1) end
from (
    select
        visit.*,
        started + (hit_place - 1) * (interval '20 seconds' + random() * interval '150 seconds') as at,
        (random() + random() + random() - 1.5) * 1.4 as slow,
        case
            when random() < 0.7 then 'pageview'
            when random() < 0.4 then 'performance'
            when random() < 0.6 then 'custom_event'
            else 'outbound'
        end as type,
        case
            when random() < 0.6 then '/blog/a-post-with-a-name-as-long-as-they-are-' || floor(random() * random() * 2000)
            when random() < 0.5 then '/'
            else (array['/pricing', '/docs/install', '/docs/api', '/thanks', '/checkout', '/about'])[1 + floor(random() * 6)::int]
        end as pathname
    from (
        select
            number,
            floor(random() * random() * 1800)::int as place,
            hashint8extended(floor(random() * %(sessions)s * 0.36)::bigint, 7) as visitor_id,
            now() - interval '90 days' + interval '90 days' * number / %(sessions)s as started,
            1 + floor(random() * random() * 15)::int as hits,
            case
                when random() < 0.4 then null
                when random() < 0.5 then (array['https://www.google.com/', 'https://www.bing.com/', 'https://duckduckgo.com/'])[1 + floor(random() * 3)::int]
                else 'https://site-' || floor(random() * random() * 800) || '.example/a/page'
            end as referrer,
            (array['Direct', 'Organic Search', 'Referral', 'Organic Social', 'Email'])[1 + floor(random() * 5)::int] as channel,
            case when random() < 0.2 then (array['news', 'partner', 'x'])[1 + floor(random() * 3)::int] end as utm_source,
            case when random() < 0.2 then 'campaign-' || floor(random() * 40) end as utm_campaign,
            (array['en-US', 'de-DE', 'fr', 'ja', 'en-GB'])[1 + floor(random() * 5)::int] as language,
            (array['Firefox', 'Chrome', 'Safari', 'Edge'])[1 + floor(random() * 4)::int] as browser,
            (array['Linux', 'Windows', 'macOS'])[1 + floor(random() * 3)::int] as system,
            (array['desktop', 'mobile', 'tablet'])[1 + floor(random() * 3)::int] as device,
            (array['DE', 'US', 'FR', 'NP', 'GB', 'JP'])[1 + floor(random() * 6)::int] as country
        from generate_series(1, %(sessions)s) as number
    ) as visit
    cross join lateral generate_series(1, hits) as hit_place
) as hit
where at <= now()
order by at
