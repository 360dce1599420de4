-- fill: believable traffic of one site over 90 days; about 4.5 hits a session, which are %(sessions)s in all
insert into hit (
    site_id, visitor_id, occurred_at, received_at, type, hostname, pathname, page_title, referrer, channel, language,
    screen_width, screen_height, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city, event_name, properties
)
select
    1, visitor_id, at, at, type::hit_type, 'example.com', pathname, 'A title', referrer, channel, 'en-US',
    1920, 1080, browser, '140', system, '10', device, country, 'Somewhere', 'A city',
    case when type = 'custom_event' then (array['signup', 'order', 'video', 'share'])[1 + floor(random() * 4)::int] end,
    case
        when type = 'custom_event'
        then jsonb_build_object('plan', (array['pro', 'free'])[1 + floor(random() * 2)::int], 'amount', floor(random() * 100))
    end
from (
    select
        visit.*,
        started + (place - 1) * (interval '20 seconds' + random() * interval '150 seconds') as at,
        case
            when random() < 0.78 then 'pageview'
            when random() < 0.7 then 'custom_event'
            when random() < 0.5 then 'performance'
            else 'outbound'
        end as type,
        case
            when random() < 0.5 then '/blog/post-' || floor(random() * random() * 800)
            when random() < 0.5 then '/'
            else (array['/pricing', '/docs/install', '/docs/api', '/thanks', '/checkout', '/about'])[1 + floor(random() * 6)::int]
        end as pathname
    from (
        select
            number,
            hashint8extended(floor(random() * %(sessions)s * 0.36)::bigint, 7) as visitor_id,
            date_trunc('day', now()) - interval '90 days' + interval '90 days' * number / %(sessions)s as started,
            1 + floor(random() * random() * 15)::int as hits,
            (array[null, 'https://www.google.com/', 'https://news.ycombinator.com/'])[1 + floor(random() * 3)::int] as referrer,
            (array['Direct', 'Organic Search', 'Referral'])[1 + floor(random() * 3)::int] as channel,
            (array['Firefox', 'Chrome', 'Safari', 'Edge'])[1 + floor(random() * 4)::int] as browser,
            (array['Linux', 'Windows', 'macOS'])[1 + floor(random() * 3)::int] as system,
            (array['desktop', 'mobile', 'tablet'])[1 + floor(random() * 3)::int] as device,
            (array['DE', 'US', 'FR', 'NP', 'GB', 'JP'])[1 + floor(random() * 6)::int] as country
        from generate_series(1, %(sessions)s) as number
    ) as visit
    cross join lateral generate_series(1, hits) as place
) as hit
order by at
