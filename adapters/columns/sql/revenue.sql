-- Revenue by source, from files.

-- name: by_source
with conversion as materialized (
    select
        position, counted_visitor as who, occurred_at as "at", signed_visitor_id is not null as is_signed, money
    from ({conversions}) as hit
    where money is not null
),
touch as (
    select
        counted_visitor as who, started_at, coalesce({value}, '') as value,
        coalesce(channel, $direct) <> $direct as is_named,
        epoch_us(started_at)::hugeint * 9223372036854775808 + session_id as key
    from ({sessions}) as session
    where started_at >= $since and started_at < $end
),
given as materialized (
    select any_value(money) as money, {values}
    from conversion
    join touch on touch.who = conversion.who and touch.started_at <= "at" and touch.started_at >= "at" - $lookback::interval
    group by position
),
counted as (
    {counted}
),
summed as (
    select value, {sums}
    from counted
    where {named}
    group by value
),
page as (
    select *, row_number() over (order by sum_0 desc, count_0 desc, value) as place
    from summed
    order by place
    limit $limit offset $offset
),
total as (
    select
        (select count(*) from summed) as "values", count(*) as conversions, coalesce(sum(money), 0)::varchar as money,
        count(*) filter (where is_signed) as signed
    from conversion
)
select total."values", total.conversions, total.money, total.signed, page.value, {columns}
from total
left join page on true
order by page.place

-- name: with_money
select *, {properties/number} as money
from (
    select *, unnest(list_filter(properties, lambda one: one.key = $property)) as one
    from ({hits}) as event
) as event

-- name: without_money
select *, 0::decimal(28, 9) as money
from ({hits}) as hit

-- name: first
arg_min(value, key)

-- name: last
arg_max(value, key)

-- name: last_not_direct
coalesce(arg_max(value, key) filter (where is_named), arg_max(value, key))

-- name: counted_by
select {model} as model, value_{model} as value, money from given

-- name: sum_of
count(*) filter (where model = {model}) as count_{model},
coalesce(sum(money) filter (where model = {model}), 0)::decimal(38, 9) as sum_{model}
