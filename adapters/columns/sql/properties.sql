-- Properties of custom events: their keys, values and series, from files.

-- name: keys_of_properties
select session_id, unnest(list_transform(properties, lambda one: one.key)) as key from hits

-- name: keys_of_queries
-- Each name once for a hit.
select session_id, unnest(list_distinct(list_transform(names, lambda name: decoded(name)))) as key
from (
    select
        session_id,
        list_filter(
            list_transform(
                string_split(regexp_replace(querystring, '^[?]', ''), '&'), lambda pair: split_part(pair, '=', 1)
            ),
            lambda name: name <> ''
        ) as names
    from hits
) as written

-- name: counted_keys
select key as value, count(*) as count, count(distinct session_id) as sessions from keys group by key

-- name: properties
with page as (select * from listed where is_chosen order by count desc, value limit $limit offset $offset)
select everything.total, page.value, page.count, page.sessions
from (select count(*) as total from listed where is_chosen) as everything
left join page on true
order by page.count desc, page.value

-- name: value_group
select
    one.kind as type,
    case one.kind
        when 'number' then coalesce(one.decimal, '')
        when 'string' then one.text
        when 'boolean' then one.text
        else ''
    end as value,
    property_number(one) as number, count(*) as count, count(distinct session_id) as sessions
from (
    select session_id, unnest(list_filter(properties, lambda one: one.key = $key)) as one from hits
) as one
group by 1, 2, 3

-- name: ranked
select type, value, count, sessions, row_number() over (order by count desc, type, value) as place from value_group

-- name: values
with page as (select * from listed where is_chosen order by place limit $limit offset $offset),
amount as (
    select
        count(*) filter (where is_chosen) as chosen, count(*) as "distinct", coalesce(sum(count), 0)::bigint as events,
        coalesce(sum(count) filter (where place > $most), 0)::bigint as other
    from listed
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
    amount.chosen, amount."distinct", amount.events, amount.other, summary.numbers, summary.sum,
    summary.median, page.type, page.value, page.count, page.sessions
from amount
cross join summary
left join page on true
order by page.place

-- name: numbers
with value_group as (
    select one.key as key, property_number(one) as number, count(*) as count
    from (
        select unnest(list_filter(properties, lambda one: list_contains(from_json($keys, '["VARCHAR"]'), one.key))) as one
        from hits
    ) as one
    group by 1, 2
),
ordered as (
    select
        key, number, count, sum(count) over (partition by key order by number) as up_to,
        sum(count) over (partition by key) as numbers
    from value_group
    where number is not null
)
select
    key, sum(count)::bigint, sum(count * number::decimal(38, 9))::varchar,
    (min(number) filter (where 2 * up_to >= numbers))::varchar
from ordered
group by key

-- name: series
with edge as (
    select unnest(places) as piece, unnest(from_json($edges, '["BIGINT"]')) as "at"
    from (select range(len(from_json($edges, '["BIGINT"]'))) as places)
),
numbered as (
    select epoch_us(occurred_at) as "at", property_number(one) as number
    from (
        select occurred_at, unnest(list_filter(properties, lambda one: one.key = $key)) as one from hits
    ) as one
)
select edge.piece, count(*), sum(number)::varchar
from (select * from numbered where number is not null) as numbered
asof join edge on numbered."at" >= edge."at"
group by edge.piece
