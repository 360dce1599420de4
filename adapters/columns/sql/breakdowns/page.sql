-- page
ranked as (select *, {rank} as rank from total),
page as (select * from ranked where {chosen} order by count desc, value limit $limit offset $offset),
everything as (
    select count(*) filter (where {chosen}) as "values", coalesce(sum(count), 0)::bigint as count from total
)
select everything."values", everything.count, page.value, page.count, {visitors}, page.rank
from everything
left join page on true
order by page.count desc, page.value
