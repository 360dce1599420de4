-- all_sites: %(days)s days of sessions of one to six pageviews on %(sites)s sites, of which few are busy; %(sessions)s in all
insert into hit (site_id, visitor_id, occurred_at, received_at, type, hostname, pathname, device_type, country)
select
    1 + floor(power(share, 3) * %(sites)s)::bigint, visitor_id, at, at, 'pageview', 'example.com', '/' || place, 'desktop', 'DE'
from (
    select
        hashint8extended(floor(random() * %(sessions)s * 0.6)::bigint, 7) as visitor_id, random() as share,
        now() - random() * %(days)s * interval '1 day' as started, 1 + floor(random() * 6)::int as hits
    from generate_series(1, %(sessions)s)
) as visit
cross join lateral generate_series(1, hits) as place
cross join lateral (select least(started + (place - 1) * interval '90 seconds', now()) as at) as moment
order by at
