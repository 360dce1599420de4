-- The traffic of bots, from files.

-- name: stored
with counted as materialized (
    select
        session_bot as bot, session_bot_verified as verified, coalesce(session_hostname, '') as hostname,
        coalesce(pathname, '') as pathname, count(*) as requests
    from hits
    group by all
),
named as (
    select bot, row_number() over (order by sum(requests) desc, bot) as rank from counted group by bot
),
page as (
    select
        bot, hostname, pathname, sum(requests)::bigint as requests,
        row_number() over (partition by bot order by sum(requests) desc, hostname, pathname) as rank
    from counted
    where bot in (select bot from named where rank <= $most_bots)
    group by bot, hostname, pathname
)
select
    false as is_page, case when rank <= $most_bots then counted.bot else $other end as bot, verified, '' as hostname,
    '' as pathname, sum(requests)::bigint as requests
from counted
join named on named.bot = counted.bot
group by all
union all
select true, bot, null, hostname, pathname, requests from page where rank <= $most_pages

-- name: answer_sources
select coalesce(referrer_host(referrer), '') as host, coalesce(utm_source, '') as source, count(*)::bigint as visits
from sessions
where channel in (select unnest(from_json($channels, '["VARCHAR"]')))
group by all
order by visits desc, host, source
limit $most
