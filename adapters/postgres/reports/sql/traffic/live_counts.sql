-- live_counts
-- The numbers of `recent`, the hits, and of `visited`, their sessions.
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
