-- properties
with total as (
    select key, count(*) as count, count(distinct session_id) as sessions
    from (
        select session_id, unnest(list_transform(properties, lambda one: one.key)) as key from ({events}) as event
    ) as one
    group by key
),
page as (select * from total where {chosen} order by count desc, key limit $limit offset $offset),
everything as (select count(*) as total from total where {chosen})
select everything.total, page.key, page.count, page.sessions
from everything
left join page on true
order by page.count desc, page.key
