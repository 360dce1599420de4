-- columns: traffic like a real site's, about 5 hits a session, which are %(sessions)s in all: over 90 days, today included,
-- unless `since` and `until` say otherwise, of as many visitors as such a number of sessions has in 90 days unless given
-- Paths, browsers and lengths of sessions have long tails, half of the pageviews are measured, and some hits arrive late.
insert into hit (
    site_id, visitor_id, occurred_at, received_at, type, hostname, pathname, page_title, referrer, channel, language,
    screen_width, screen_height, browser, browser_version, operating_system, operating_system_version, device_type,
    country, region, city, event_name, querystring, release, properties, lcp, cls, inp, fcp, ttfb
)
select
    1, visitor_id, at, at, type::hit_type, 'example.com', pathname, 'Page ' || pathname, referrer, channel, language,
    1920, 1080, browser, version::text, system, '10', device, country, country || '-' || number %% 12, 'City ' || number %% 400,
    case
        when type = 'custom_event' then (array['signup', 'order', 'video', 'share'])[1 + floor(random() * 4)::int]
        when type = 'error' then 'TypeError'
    end,
    case when number %% 3 = 0 then '?utm_source=mail&ref=partner-' || floor(300 * random() ^ 3)::int end,
    '1.' || floor(30 * number / %(sessions)s::float8),
    case
        when type = 'pageview' and number %% 4 = 0 then jsonb_build_object('plan', (array['pro', 'free'])[1 + number %% 2])
        when type = 'custom_event' then jsonb_build_object(
            'plan', (array['pro', 'free'])[1 + floor(random() * 2)::int], 'amount', floor(random() * 100)
        )
        when type = 'outbound' then jsonb_build_object('url', 'https://example.org/' || floor(50 * random() ^ 3)::int)
        when type = 'error' then jsonb_build_object('message', 'x' || floor(200 * random() ^ 4)::int || ' is not defined')
    end,
    case when type = 'performance' then 400 + 4000 * random() ^ 3 end,
    case when type = 'performance' then round((0.5 * random() ^ 5)::numeric, 4)::float8 end,
    case when type = 'performance' and random() < 0.6 then round(600 * random() ^ 4) end,
    case when type = 'performance' then 200 + 2500 * random() ^ 3 end,
    case when type = 'performance' then 20 + 1500 * random() ^ 4 end
from (
    select
        visit.*, views.at + part.delay as at, coalesce(part.type, 'pageview') as type,
        case when random() < 0.3 then '/' else '/blog/post-' || floor(20000 * random() ^ 6)::int end as pathname
    from (
        select
            number,
            hashint8extended(floor(random() * coalesce(%(visitors)s, %(sessions)s * 0.36))::bigint, 7) as visitor_id,
            span.since + (span.until - span.since) * (number / %(sessions)s::float8) as started,
            1 + floor(20 * random() ^ 4)::int as pages,
            (array[null, 'https://www.google.com/', 'https://news.ycombinator.com/'])[1 + floor(random() * 3)::int] as referrer,
            (array['Direct', 'Organic Search', 'Referral'])[1 + floor(random() * 3)::int] as channel,
            (array['en-US', 'de-DE', 'fr-FR'])[1 + floor(random() * 3)::int] as language,
            (array['Chrome', 'Safari', 'Firefox', 'Edge', 'Opera'])[1 + floor(5 * random() ^ 3)::int] as browser,
            120 + floor(20 * random() ^ 2)::int as version,
            (array['Windows', 'macOS', 'Linux', 'Android', 'iOS'])[1 + floor(5 * random() ^ 2)::int] as system,
            (array['desktop', 'mobile', 'tablet'])[1 + floor(3 * random() ^ 2)::int] as device,
            (array['DE', 'US', 'FR', 'NP', 'GB', 'JP'])[1 + floor(6 * random() ^ 2)::int] as country
        from generate_series(1, %(sessions)s) as number
        cross join (
            select
                coalesce(%(since)s::timestamptz, now() - interval '90 days 30 minutes') as since,
                coalesce(%(until)s::timestamptz, now() - interval '30 minutes') as until
        ) as span
    ) as visit
    cross join lateral (
        select abs(hashint8(number * 100 + place)) as chance, started + (place - 1) * (interval '15 seconds' + 150 * random() * interval '1 second') as at
        from generate_series(1, pages) as place
    ) as views
    cross join lateral (
        select 'pageview' as type, interval '0' as delay
        union all
        select 'performance', interval '3 seconds' where chance %% 2 = 0
        union all
        select (array['custom_event', 'custom_event', 'outbound', 'error'])[1 + chance %% 4], interval '9 seconds'
        where chance %% 7 < 2
    ) as part
) as hit
order by case when random() < 0.0005 then at + interval '3 days' else at end
