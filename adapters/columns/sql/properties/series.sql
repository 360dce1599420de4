-- series
with edge as (
    select unnest(places) as piece, unnest(from_json($edges, '["BIGINT"]')) as "at"
    from (select range(len(from_json($edges, '["BIGINT"]'))) as places)
),
numbered as (
    select epoch_us(occurred_at) as "at", {number} as number
    from (
        select occurred_at, unnest(list_filter(properties, lambda one: one.key = $key)) as one
        from ({events}) as event
    ) as one
)
select edge.piece, count(*), sum(number)::varchar
from (select * from numbered where number is not null) as numbered
asof join edge on numbered."at" >= edge."at"
group by edge.piece
