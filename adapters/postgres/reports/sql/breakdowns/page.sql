-- page
ranked as (select *, {rank} as rank from counted),
page as (
    select * from ranked where {chosen} order by count desc, value collate "C" limit %(limit)s offset %(offset)s
),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as total from counted
)
select * from everything left join page on true order by count desc, value collate "C"
