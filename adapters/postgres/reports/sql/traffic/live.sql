-- live
-- The visitors are those of the hits. Of their sessions those count that reach into the half hour: no pause is longer, so
-- these have hits in it.
with recent as materialized (
    select visitor_id, occurred_at, position, type, pathname
    from hit
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {selection/projected}
),
visited as materialized (
    select session.visitor_id, {host} as source, coalesce(session.country, '') as country
    from (select distinct visitor_id from recent) as visitor
    cross join lateral (
        select visitor_id, referrer, country
        from session
        where session.site_id = %(site_id)s and session.visitor_id = visitor.visitor_id
            and started_at < %(end)s and ended_at >= %(start)s
    ) as session
),
viewing as (
    select distinct on (visitor_id) coalesce(pathname, '') as value
    from recent
    where type = 'pageview'
    order by visitor_id, occurred_at desc, position desc
),
listed as (
    select 'pages' as part, value, count(*) as visitors from viewing group by value
    union all
    select 'sources', source, count(distinct visitor_id) from visited group by source
    union all
    select 'countries', country, count(distinct visitor_id) from visited group by country
)
select part, value, visitors
from (
    select *, row_number() over (partition by part order by visitors desc, value collate "C") as place from listed
) as ranked
where place <= %(most)s
union all
select
    'minutes', floor(date_part('epoch', occurred_at - %(start)s::timestamptz) / 60)::integer::text,
    count(distinct visitor_id)
from recent
group by 2
union all
select 'visitors', '', count(distinct visitor_id) from recent
union all
select 'pageviews', '', count(*) from recent where type = 'pageview'
