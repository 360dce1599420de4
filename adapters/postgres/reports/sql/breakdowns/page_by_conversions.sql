-- page_by_conversions
ranked as (select *, {rank} as rank from counted),
page as (
    select *
    from ranked
    where {chosen}
    order by conversions desc, count desc, value collate "C"
    limit %(limit)s offset %(offset)s
),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as total from counted
)
select * from everything left join page on true order by conversions desc, count desc, value collate "C"
