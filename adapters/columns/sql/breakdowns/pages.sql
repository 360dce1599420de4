-- pages
-- Grouped by path and visitor, and then by path: hashing twice is several times faster than count(distinct).
with each as (
    select
        coalesce(pathname, '') as value, visitor_id, count(*) as count, count(until_next) as timed,
        coalesce(sum(until_next), 0)::bigint as microseconds
    from ({source}) as counted
    group by 1, 2
),
total as (
    select
        value, sum(count)::bigint as count, count(*) as visitors, sum(timed)::bigint as timed,
        sum(microseconds)::bigint as microseconds
    from each
    group by value
),
page as (select * from total where {chosen} order by count desc, value limit $limit offset $offset),
entered as (
    select
        coalesce(entry_page, '') as value, 1 as entries,
        (pageviews = 1 and custom_events = 0 and outbound_clicks = 0)::bigint as bounces
    from ({sessions}) as session
    where pageviews > 0
),
entry as (
    select value, sum(entries)::bigint as entries, sum(bounces)::bigint as bounces
    from entered
    where value in (select value from page)
    group by value
),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select
    everything."values", everything.count, page.value, page.count, page.visitors, coalesce(entry.entries, 0),
    coalesce(entry.bounces, 0), page.timed, page.microseconds
from everything
left join page on true
left join entry on entry.value = page.value
order by page.count desc, page.value
