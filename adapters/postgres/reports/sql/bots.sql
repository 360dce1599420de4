-- Requests of bots that were refused.

-- name: names
select bot from refused_bot
where site_id = %(site_id)s and day >= %(first)s and day <= %(last)s
group by bot
limit %(most_names)s + 1

-- name: refused
-- Without a selection, its two arrays are null.
with counted as materialized (
    select bot, verified, page, sum(requests)::bigint as requests
    from refused_bot
    where site_id = %(site_id)s and day >= %(first)s and day <= %(last)s
        and (
            %(bots)s::text[] is null
            or (bot, verified) in (select * from unnest(%(bots)s::text[], %(verifications)s::text[]))
        )
    group by bot, verified, page
),
named as (
    select bot, row_number() over (order by sum(requests) desc, bot collate "C") as rank from counted group by bot
),
page as (
    select
        counted.bot, page, sum(requests)::bigint as requests,
        row_number() over (partition by counted.bot order by sum(requests) desc, page collate "C") as rank
    from counted
    join named on named.bot = counted.bot and named.rank <= %(most_bots)s
    group by counted.bot, page
)
select
    false as is_page, case when rank <= %(most_bots)s then counted.bot else %(other)s end as bot, verified, '' as page,
    sum(requests)::bigint as requests
from counted
join named on named.bot = counted.bot
group by 2, 3
union all
select true, bot, '', page, requests from page where rank <= %(most_pages)s
