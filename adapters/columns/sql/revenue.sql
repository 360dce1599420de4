-- Revenue by source, from files.

-- name: by_source
with conversion as materialized (
    select
        position, counted_visitor as who, occurred_at as "at", signed_visitor_id is not null as is_signed, money
    from conversions
    where money is not null
),
touch as (
    select
        counted_visitor as who, started_at, coalesce(value, '') as value, coalesce(channel, $direct) <> $direct as is_named,
        key_of(started_at, session_id) as key
    from sessions
    where started_at >= $since and started_at < $end
),
given as materialized (
    select
        any_value(money) as money,
        list_select(
            [
                arg_min(value, key), arg_max(value, key),
                coalesce(arg_max(value, key) filter (where is_named), arg_max(value, key))
            ],
            $models
        ) as "values"
    from conversion
    join touch on touch.who = conversion.who and touch.started_at <= "at" and touch.started_at >= "at" - $lookback::interval
    group by position
),
counted as (
    select unnest(range(len("values"))) as model, unnest("values") as value, money from given
),
summed as (
    select value, model, count(*) as count, coalesce(sum(money), 0)::decimal(38, 9) as sum
    from counted
    where $among = 'null' or value in (select unnest(from_json($among, '["VARCHAR"]')))
    group by value, model
),
page as (
    select
        value, list(model) as models, list(count) as counts, list(sum::varchar) as sums,
        row_number() over (
            order by coalesce(sum(sum) filter (where model = 0), 0) desc,
                coalesce(sum(count) filter (where model = 0), 0) desc, value
        ) as place
    from summed
    group by value
    order by place
    limit $limit offset $offset
),
total as (
    select
        (select count(distinct value) from summed) as "values", count(*) as conversions,
        coalesce(sum(money), 0)::varchar as money, count(*) filter (where is_signed) as signed
    from conversion
)
select
    total."values", total.conversions, total.money, total.signed, page.value, page.models, page.counts, page.sums
from total
left join page on true
order by page.place

-- name: with_money
select *, property_number(one) as money
from (select *, unnest(list_filter(properties, lambda one: one.key = $property)) as one from hits) as event

-- name: without_money
select *, 0::decimal(28, 9) as money from hits
