-- sessions_and_conversions
-- Each session has one value. Grouped by value and visitor, and then by value: hashing is several times faster than
-- count(distinct).
with converted as materialized (select distinct session_id from ({converted}) as one),
person as (
    select
        coalesce({column}, '') as value, visitor_id, count(*) as count, count(converted.session_id) as conversions
    from ({source}) as counted
    left join converted using (session_id)
    group by 1, 2
),
total as (
    select
        value, sum(count)::bigint as count, count(*) as visitors, sum(conversions)::bigint as conversions
    from person
    group by value
),
ranked as (select *, {rank} as rank from total),
page as (
    select * from ranked where {chosen} order by conversions desc, count desc, value limit $limit offset $offset
),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select
    everything."values", everything.count, page.value, page.count, page.visitors, page.conversions, page.count,
    page.rank
from everything
left join page on true
order by page.conversions desc, page.count desc, page.value
