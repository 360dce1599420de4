-- values
with {selection/selected}, {breakdowns/owners}, {event},
value_group as materialized ({groups}),
counted as materialized (
    select type, value, sum(count)::bigint as count, sum(sessions)::bigint as sessions
    from value_group
    group by type, value
),
ranked as (
    select *, row_number() over (order by count desc, type collate "C", value collate "C") as place from counted
),
page as (select * from ranked where {chosen} order by place limit %(limit)s offset %(offset)s),
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
        (select coalesce(sum(count * number), 0) from value_group where number is not null) as sum,
        (select min(number) from ordered where 2 * up_to >= numbers) as median
)
select * from total cross join summary left join page on true order by place
