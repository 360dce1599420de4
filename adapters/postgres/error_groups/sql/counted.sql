-- counted
-- Each occurrence is joined with its hit once, and counted four times.
with {selected}
{mine},
seen as materialized (
    select
        mine.occurred_at, mine.position, mine.stack, coalesce(mine.release, '') as release,
        coalesce(hit.browser, '') as browser, coalesce(hit.pathname, '') as page
    from mine
    join hit on hit.position = mine.position and hit.occurred_at = mine.occurred_at
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s
),
counted as (
    select
        case when grouping(stack) = 0 then 'stack' when grouping(browser) = 0 then 'browser'
            when grouping(page) = 0 then 'page' else 'release' end as kind,
        stack, coalesce(browser, page, release) as value, count(*) as count,
        case when grouping(stack) = 0 then (array_agg(position order by occurred_at desc, position desc))[1] end as latest
    from seen
    group by grouping sets ((stack), (browser), (page), (release))
),
placed as (
    select
        *, count(*) over (partition by kind) as distinct_values,
        row_number() over (partition by kind order by count desc, stack, value collate "C") as place
    from counted
)
select kind, stack, value, count, latest, distinct_values
from placed
where place <= case kind when 'stack' then %(stacks)s else %(values)s end
order by kind, place
