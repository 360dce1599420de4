-- pieces
select
    width_bucket(occurred_at, %(edges)s::timestamptz[]) - 1 as piece, count(number) as count,
    coalesce(sum(number), 0) as sum
from (
    select occurred_at, {number} as number
    from (select occurred_at, properties -> %(key)s::text as value from event_of_rule) as one
) as numbered
where number is not null
group by 1
