-- pages
-- Views are grouped by path and visitor, and then by path: hashing twice is several times faster than count(distinct).
with selected as ({selection/sessions}), {owners}, {placed_hits},
viewed as ({page_views}),
entered as ({page_entries}),
counted as materialized (
    select
        value, sum(views)::bigint as count, count(*) as visitors, sum(timed)::bigint as timed,
        sum(microseconds)::bigint as microseconds
    from viewed
    group by value
),
page as (
    select * from counted where {chosen} order by count desc, value collate "C" limit %(limit)s offset %(offset)s
),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as total from counted
)
select *
from everything
left join (
    select page.*, coalesce(entries, 0) as entries, coalesce(bounces, 0) as bounces
    from page
    left join entered using (value)
) as page on true
order by count desc, value collate "C"
