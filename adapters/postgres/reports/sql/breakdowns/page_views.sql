-- page_views
select
    coalesce(pathname, '') as value, visitor_id, count(*) as views, count(until_next) as timed,
    coalesce(sum(until_next), 0)::bigint as microseconds
from placed
where type = 'pageview' and occurred_at >= %(start)s and occurred_at < %(end)s
group by 1, 2
