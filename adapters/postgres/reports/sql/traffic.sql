-- Traffic of now, and what a site holds.

-- name: realtime
-- views: selection/projected_hit
select count(distinct visitor_id) as visitors, count(*) filter (where type = 'pageview') as pageviews
from projected_hit
where site_id = %(site_id)s and occurred_at > %(after)s and occurred_at <= %(now)s

-- name: live_of_selected
-- with: happened, selected_of_happened as selected, recent_of_selected as recent, visited
-- views: live_counts
-- Filters select among the sessions of those who had hits in the half hour; the hits are then those of selected sessions.
select * from live_counts

-- name: live
-- with: happened as recent, reaching as selected, visited
-- views: live_counts
-- The visitors are those of the hits. Of their sessions those count that reach into the half hour: no pause is longer, so
-- these have hits in it.
select * from live_counts

-- name: happened
-- views: selection/hit_inside
select visitor_id, occurred_at, position, type, pathname from hit_inside

-- name: selected_of_happened
-- with: happened
-- views: selection/selected as chosen
select * from chosen where visitor_id in (select visitor_id from happened)

-- name: recent_of_selected
-- with: happened, selected_of_happened as selected
select happened.*
from happened
join selected on selected.visitor_id = happened.visitor_id
    and occurred_at >= selected.started_at and occurred_at <= selected.ended_at

-- name: reaching
-- with: happened as recent
select session.*
from (select distinct visitor_id from recent) as visitor
cross join lateral (
    select visitor_id, referrer, country
    from session
    where session.site_id = %(site_id)s and session.visitor_id = visitor.visitor_id
        and started_at < %(end)s and ended_at >= %(start)s
) as session

-- name: visited
select visitor_id, {selection/referrer_host} as source, coalesce(country, '') as country from selected as session

-- name: live_counts
-- The numbers of `recent`, the hits, and of `visited`, their sessions.
with viewing as (
    select distinct on (visitor_id) coalesce(pathname, '') as value
    from recent
    where type = 'pageview'
    order by visitor_id, occurred_at desc, position desc
),
listed as (
    select 'pages' as part, value, count(*) as visitors from viewing group by value
    union all
    select 'sources', source, count(distinct visitor_id) from visited group by source
    union all
    select 'countries', country, count(distinct visitor_id) from visited group by country
)
select part, value, visitors
from (
    select *, row_number() over (partition by part order by visitors desc, value collate "C") as place from listed
) as ranked
where place <= %(most)s
union all
select
    'minutes', floor(date_part('epoch', occurred_at - %(start)s::timestamptz) / 60)::integer::text,
    count(distinct visitor_id)
from recent
group by 2
union all
select 'visitors', '', count(distinct visitor_id) from recent
union all
select 'pageviews', '', count(*) from recent where type = 'pageview'

-- name: latest_hit
select occurred_at from hit where site_id = %(site_id)s order by occurred_at desc limit 1

-- name: data_since
-- views: log
-- One look into the index of the log, or of each of its months before the first hit.
select occurred_at as since
from log as hit
where hit.site_id = %(site_id)s and hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')
order by occurred_at
limit 1

-- name: imported
-- views: log, imported_day
-- The ledger of an import names the days that it brought hits of: of these the first and the last one are looked at that have
-- some that are still stored.
select first.at as start, last.at + interval '1 microsecond' as end
from site_import as its
cross join lateral (
    select at
    from (select day from imported_day where imported_day.import_id = its.import_id order by day) as days
    cross join lateral (
        select min(occurred_at) as at
        from log as hit
        where hit.site_id = %(site_id)s and hit.import_id = its.import_id
            and hit.occurred_at >= day and hit.occurred_at < day + interval '24 hours'
    ) as hits
    where at is not null
    order by day
    limit 1
) as first
cross join lateral (
    select at
    from (select day from imported_day where imported_day.import_id = its.import_id order by day desc) as days
    cross join lateral (
        select max(occurred_at) as at
        from log as hit
        where hit.site_id = %(site_id)s and hit.import_id = its.import_id
            and hit.occurred_at >= day and hit.occurred_at < day + interval '24 hours'
    ) as hits
    where at is not null
    order by day desc
    limit 1
) as last
where its.site_id = %(site_id)s
order by its.import_id

-- name: log_of_hit
select * from hit

-- name: log_of_earlier_hit
select * from earlier_hit

-- name: imported_day
select distinct import_id, day::timestamp at time zone 'UTC' as day
from import_ledger
where site_id = %(site_id)s and reason = '' and day <> ''

-- name: with_hits
-- One probe of the index for each site, however many hits it has.
select asked.site_id
from unnest(%(sites)s::bigint[], %(starts)s::timestamptz[], %(ends)s::timestamptz[]) as asked (site_id, starts, ends)
cross join lateral (
    select from hit
    where hit.site_id = asked.site_id and hit.occurred_at >= asked.starts and hit.occurred_at < asked.ends
    order by hit.occurred_at
    limit 1
) as first

-- name: placed_of_sites
-- Sessions that were open at the beginning are read backwards from it: traffic_bucket holds their number.
select session.site_id, coalesce(signed_visitor_id, visitor_id) as visitor_id, started_at, ended_at
from session
where session.site_id = any(%(site_ids)s::bigint[]) and started_at >= %(start)s and started_at < %(end)s
union all
select asked.site_id, visitor_id, started_at, ended_at
from unnest(%(site_ids)s::bigint[]) as asked (site_id)
join traffic_bucket on traffic_bucket.site_id = asked.site_id and bucket = %(start)s
cross join lateral (
    select coalesce(signed_visitor_id, visitor_id) as visitor_id, started_at, ended_at
    from session
    where session.site_id = asked.site_id
        and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(start)s
        and ended_at >= %(start)s
    order by started_at desc
    limit open_at_start
) as open

-- name: placed_of_selected
-- views: selection/selected
select site_id, coalesce(signed_visitor_id, visitor_id) as visitor_id, started_at, ended_at from selected

-- name: recent_visitors
-- views: placed
-- The parts that a session reaches, hours or days, are bits of one number, those of a visitor what is set in any of their
-- sessions: so each session is read once for all parts, and visitors are told apart once. No pause of a session is as long as
-- an hour, so it has a hit in every part between its start and its end. A signed user counts
-- once, on whichever browsers.
with visited as (
    select site_id, visitor_id, bit_or(
        (2::bigint << least(floor(date_part('epoch', ended_at - %(start)s::timestamptz) / %(step)s)::integer, 2 * %(count)s - 1))
        - (1::bigint << greatest(floor(date_part('epoch', started_at - %(start)s::timestamptz) / %(step)s)::integer, 0))
    ) as parts
    from placed
    group by site_id, visitor_id
),
-- Few of the many combinations of parts are there; of the time before, only whether there was a session counts.
counted as (
    select
        site_id, parts >> %(count)s as parts, parts & ((1::bigint << %(count)s) - 1) <> 0 as earlier,
        count(*)::integer as visitors
    from visited
    group by 1, 2, 3
),
reached as (
    select site_id, part, sum(visitors)::bigint as visitors
    from counted
    join generate_series(0, %(count)s - 1) as part on parts >> part & 1 = 1
    group by site_id, part
)
select site_id, visitors, before, parts
from (
    select
        site_id, coalesce(sum(visitors) filter (where parts <> 0), 0)::bigint as visitors,
        coalesce(sum(visitors) filter (where earlier), 0)::bigint as before
    from counted
    group by site_id
) as total
left join (
    select site_id, json_object_agg(part, visitors) as parts from reached group by site_id
) as listed using (site_id)
