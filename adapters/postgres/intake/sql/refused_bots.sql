-- Counts of the requests of bots that are refused.

-- name: add
-- A site has a limited number of rows a day, so that no bot fills the store with names and paths: what has none yet when the
-- limit is reached is counted among the others. Writers that meet can exceed the limit by what each of them adds.
with added as materialized (
    select site_id, day, bot, among_others, verified, page, sum(requests)::bigint as requests
    from unnest(
        %(sites)s::bigint[], %(days)s::date[], %(bots)s::text[], %(among_others)s::text[], %(verified)s::text[],
        %(pages)s::text[], %(requests)s::bigint[]
    ) as one (site_id, day, bot, among_others, verified, page, requests)
    group by site_id, day, bot, among_others, verified, page
),
stored as materialized (
    select site_id, day, count(*) as rows
    from refused_bot
    where (site_id, day) in (select site_id, day from added) and import_id = %(import_id)s
    group by site_id, day
),
placed as (
    select
        added.*, kept.requests is not null as is_there,
        coalesce(stored.rows, 0) + row_number() over (
            partition by added.site_id, added.day, kept.requests is not null
            order by added.requests desc, added.bot collate "C", added.verified collate "C", added.page collate "C"
        ) as number
    from added
    left join stored on stored.site_id = added.site_id and stored.day = added.day
    left join refused_bot as kept
        on kept.site_id = added.site_id and kept.day = added.day and kept.bot = added.bot
        and kept.verified = added.verified and kept.page = added.page and kept.import_id = %(import_id)s
),
counted as (
    select
        site_id, day, case when is_there or number <= %(most)s then bot else among_others end as bot, verified,
        case when is_there or number <= %(most)s then page else '' end as page, requests
    from placed
)
insert into refused_bot as kept (site_id, day, bot, verified, page, import_id, requests)
select site_id, day, bot, verified, page, %(import_id)s, sum(requests)::bigint
from counted
group by site_id, day, bot, verified, page
order by site_id, day, bot, verified, page
on conflict (site_id, day, bot, verified, page, import_id) do update set requests = kept.requests + excluded.requests
