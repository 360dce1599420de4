-- recent_visitors
-- The parts that a session reaches, hours or days, are bits of one number, those of a visitor what is set in any of their
-- sessions: so each session is read once for all parts, and visitors are told apart once. No pause of a session is as long as
-- an hour, so it has a hit in every part between its start and its end. Sessions that were open at the beginning are read backwards from it:
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
        (2::bigint << least(floor(date_part('epoch', ended_at - %(start)s::timestamptz) / %(step)s)::integer, {last}))
        - (1::bigint << greatest(floor(date_part('epoch', started_at - %(start)s::timestamptz) / %(step)s)::integer, 0))
    ) as parts
    from placed
    group by site_id, visitor_id
),
-- Few of the many combinations of parts are there; of the time before, only whether there was a session counts.
counted as (
    select
        site_id, parts >> {count} as parts, parts & ((1::bigint << {count}) - 1) <> 0 as earlier,
        count(*)::integer as visitors
    from visited
    group by 1, 2, 3
)
select
    site_id,
    coalesce(sum(visitors) filter (where parts <> 0), 0)::bigint as visitors,
    coalesce(sum(visitors) filter (where earlier), 0)::bigint as before,
    array[{parts}]::bigint[] as parts
from counted
group by site_id
