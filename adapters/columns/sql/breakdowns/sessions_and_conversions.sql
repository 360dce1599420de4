-- sessions_and_conversions
-- Each session has one value. Grouped by value and visitor, and then by value: hashing is several times faster than
-- count(distinct).
with converted as materialized (select distinct session_id from ({converted}) as one),
part as (
    select
        coalesce({column}, '') as value, visitor_id, 1 as count, 1 as sessions,
        (converted.session_id is not null)::bigint as conversions
    from ({source}) as counted
    left join converted using (session_id)
    union all
    select
        unnest(rest."value"), unnest(rest.visitor), unnest(rest.count), unnest(rest.sessions), unnest(rest.conversions)
    from (
        select from_json(
            $rest,
            '{{"value":["VARCHAR"],"visitor":["BIGINT"],"count":["BIGINT"],"sessions":["BIGINT"],"conversions":["BIGINT"]}}'
        ) as rest
    )
),
person as (
    select value, visitor_id, sum(count) as count, sum(sessions) as sessions, sum(conversions) as conversions
    from part
    group by value, visitor_id
),
total as (
    select
        value, sum(count)::bigint as count, count(*) as visitors, sum(sessions)::bigint as sessions,
        sum(conversions)::bigint as conversions
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
    everything."values", everything.count, page.value, page.count, page.visitors, page.conversions, page.sessions,
    page.rank
from everything
left join page on true
order by page.conversions desc, page.count desc, page.value
