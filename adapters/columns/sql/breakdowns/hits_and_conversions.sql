-- hits_and_conversions
-- Counts and conversions say which values are on the page. Sessions and visitors are counted for these alone, by hashing, which
-- is several times faster than count(distinct).
with converted as materialized (select distinct session_id from ({converted}) as one),
part as (
    select coalesce(value, '') as value, count, 0 as conversions
    from (select {column} as value, count(*) as count from ({source}) as counted group by 1)
    union all
    select coalesce(value, ''), 0, count(*)
    from (
        select distinct coalesce({column}, '') as value, session_id
        from ({source}) as counted
        where session_id in (select session_id from converted)
    )
    group by value
),
total as (
    select value, sum(count)::bigint as count, sum(conversions)::bigint as conversions from part group by value
),
ranked as (select *, {rank} as rank from total),
page as materialized (
    select * from ranked where {chosen} order by conversions desc, count desc, value limit $limit offset $offset
),
person as (
    select value, visitor_id, count(*) as sessions
    from (
        select distinct coalesce({column}, '') as value, visitor_id, session_id
        from ({source}) as counted
        where coalesce({column}, '') in (select value from page)
    )
    group by value, visitor_id
),
met as (select value, count(*) as visitors, sum(sessions)::bigint as sessions from person group by value),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select
    everything."values", everything.count, page.value, page.count, met.visitors, page.conversions, met.sessions, page.rank
from everything
left join page on true
left join met on met.value = page.value
order by page.conversions desc, page.count desc, page.value
