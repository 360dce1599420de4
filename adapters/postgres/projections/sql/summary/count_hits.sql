-- count_hits
insert into counted_breakdown (site_id, day, dimension, value, count, open_at_start)
with known as materialized (
    select type, pathname, page_title, event_name, properties ->> 'url' as url
    from hit
    where site_id = %(site_id)s
        and occurred_at >= %(day)s and occurred_at < %(day)s::timestamptz + interval '24 hours'
        and type <> 'error'
        and position + 0 <= (select position from projection_checkpoint where name = 'reports')
)
select %(site_id)s, %(day)s, dimension::breakdown_dimension, value, count(*), 0
from (
    select 'pathname' as dimension, coalesce(pathname, '') as value from known where type = 'pageview'
    union all
    select 'page_title', coalesce(page_title, '') from known where type = 'pageview'
    union all
    select 'event_name', coalesce(event_name, '') from known where type = 'custom_event'
    union all
    select 'outbound', coalesce(url, '') from known where type = 'outbound'
    union all
    select 'measured', coalesce(pathname, '') from known where type = 'performance'
) as attribute
group by dimension, value
order by dimension
