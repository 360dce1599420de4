-- recent_visitors
-- The hours of a session are bits of one number, those of a visitor what is set in any of their sessions: so each session
-- is read once for all hours, and visitors are told apart once. No pause of a session is as long as an hour, so it has a hit
-- in every hour between its start and its end. Sessions that were open at the beginning are read backwards from it:
-- traffic_bucket holds their number.
with placed as (
    select session.site_id, visitor_id, started_at, ended_at
    from session
    where session.site_id = any(%(site_ids)s::bigint[]) and started_at >= %(start)s and started_at < %(end)s
    union all
    select asked.site_id, visitor_id, started_at, ended_at
    from unnest(%(site_ids)s::bigint[]) as asked (site_id)
    join traffic_bucket on traffic_bucket.site_id = asked.site_id and bucket = %(start)s
    cross join lateral (
        select visitor_id, started_at, ended_at
        from session
        where session.site_id = asked.site_id
            and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(start)s
            and ended_at >= %(start)s
        order by started_at desc
        limit open_at_start
    ) as open
),
visited as (
    select site_id, visitor_id, bit_or(
        (2::bigint << least(floor(date_part('epoch', ended_at - %(start)s::timestamptz) / 3600)::integer, 47))
        - (1::bigint << greatest(floor(date_part('epoch', started_at - %(start)s::timestamptz) / 3600)::integer, 0))
    ) as hours
    from placed
    group by site_id, visitor_id
),
-- Few of the many combinations of hours are there.
counted as (
    select site_id, hours, count(*)::integer as visitors from visited group by site_id, hours
)
select
    site_id,
    coalesce(sum(visitors) filter (where hours >> 24 <> 0), 0)::bigint as visitors,
    coalesce(sum(visitors) filter (where hours & ((1::bigint << 24) - 1) <> 0), 0)::bigint as before,
    array[
        coalesce(sum(visitors) filter (where hours >> 24 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 25 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 26 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 27 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 28 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 29 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 30 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 31 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 32 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 33 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 34 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 35 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 36 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 37 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 38 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 39 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 40 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 41 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 42 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 43 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 44 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 45 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 46 & 1 = 1), 0),
        coalesce(sum(visitors) filter (where hours >> 47 & 1 = 1), 0)
    ]::bigint[] as hours
from counted
group by site_id
