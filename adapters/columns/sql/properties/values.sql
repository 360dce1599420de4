-- values
with value_group as materialized (
    select
        one.kind as type,
        case one.kind
            when 'number' then coalesce(one.decimal, '')
            when 'string' then one.text
            when 'boolean' then one.text
            else ''
        end as value,
        {number} as number, count(*) as count, count(distinct session_id) as sessions
    from (
        select session_id, unnest(list_filter(properties, lambda one: one.key = $key)) as one
        from ({events}) as event
    ) as one
    group by 1, 2, 3
),
ranked as (
    select type, value, count, sessions, row_number() over (order by count desc, type, value) as place from value_group
),
page as (select * from ranked where {chosen} order by place limit $limit offset $offset),
total as (
    select
        count(*) filter (where {chosen}) as chosen, count(*) as "distinct", coalesce(sum(count), 0)::bigint as events,
        coalesce(sum(count) filter (where place > {most}), 0)::bigint as other
    from ranked
),
ordered as (
    select number, sum(count) over (order by number) as up_to, sum(count) over () as numbers
    from value_group
    where number is not null
),
summary as (
    select
        (select coalesce(sum(count), 0)::bigint from value_group where number is not null) as numbers,
        (select coalesce(sum(count * number::decimal(38, 9)), 0)::varchar from value_group where number is not null)
            as sum,
        (select min(number)::varchar from ordered where 2 * up_to >= numbers) as median
)
select
    total.chosen, total."distinct", total.events, total.other, summary.numbers, summary.sum, summary.median, page.type, page.value,
    page.count, page.sessions
from total
cross join summary
left join page on true
order by page.place
