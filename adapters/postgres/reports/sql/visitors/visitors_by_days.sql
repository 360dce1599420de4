-- visitors_by_days
-- See visitors_day in 0001_baseline.sql for the meaning of its columns. A place in an ascending array is a count, so that
-- nothing is unpacked but the end of a long piece in the middle of a day.
with day as materialized (
    select number, open_at_start, starts, arrivals, recent, earlier
    from unnest(%(days)b::timestamptz[]) with ordinality as asked (day, number)
    join visitors_day using (day)
    where site_id = %(site_id)s
),
over as (
    select piece, open_at_start[quarter + 1] as visitors
    from unnest(%(over_pieces)b::integer[], %(over_days)b::integer[], %(over_quarters)b::integer[])
        as asked (piece, number, quarter)
    join day using (number)
),
whole as (
    select
        piece,
        arrivals - case when since > 0 then width_bucket(since * 96 + 95, earlier) else 0 end as visitors
    from unnest(%(whole_pieces)b::integer[], %(whole_days)b::integer[], %(whole_earlier)b::integer[])
        as asked (piece, number, since)
    join day using (number)
),
part as materialized (
    select *
    from unnest(
        %(part_pieces)b::integer[], %(part_days)b::integer[], %(part_first)b::integer[], %(part_last)b::integer[],
        %(part_recent)b::integer[], %(part_earlier)b::integer[]
    ) as asked (piece, number, first, last, recent_since, earlier_since)
),
quartered as materialized (
    -- Put together with nothing, an array is fetched once, and not whenever it is looked at.
    select number, starts, recent || '{}'::integer[] as recent
    from day
    where number in (select number from part)
),
quarterly as (
    select
        piece,
        starts[quarter + 1] - width_bucket(quarter * 128 + quarter + recent_since, recent)
            + width_bucket(quarter * 128, recent) as visitors
    from quartered
    join part using (number)
    cross join lateral generate_series(first, last) as quarter
),
ending as (
    select
        piece,
        -(
            select count(*)
            from unnest(earlier[:width_bucket(earlier_since * 96 + 95, earlier)]) as place
            where place %% 96 between first and last
        ) as visitors
    from part
    join day using (number)
    where earlier_since > 0
),
-- Days that are not counted: visitors not seen before since the piece began, each looked up in an index, in its order. The few
-- visitors with a session that was open at the beginning are not in that index, and are subtracted.
gap as (
    select piece, count(*) as visitors
    from unnest(
        %(gap_pieces)b::integer[], %(gap_starts)s::timestamptz[], %(gap_ends)s::timestamptz[], %(gap_since)s::timestamptz[]
    ) as asked (piece, "from", "to", since)
    cross join lateral (
        select visitor_id
        from session
        where site_id = %(site_id)s and started_at >= "from" and started_at < "to"
        except
        select visitor_id
        from (
            select visitor_id
            from session
            where site_id = %(site_id)s
                and started_at >= since - interval '24 hours' and started_at < since
                and ended_at >= since
            order by started_at desc
            limit coalesce((select open_at_start from traffic_bucket where site_id = %(site_id)s and bucket = since), 0)
        ) as over
        order by visitor_id
    ) as visitor
    where not exists (
        select
        from session
        where session.site_id = %(site_id)s and session.visitor_id = visitor.visitor_id
            and started_at >= since and started_at < "from"
        -- Not a join with all sessions.
        offset 0
    )
    group by piece
),
met as (
    select piece, visitors
    from unnest(%(met_pieces)b::integer[], %(met_at)s::timestamptz[]) as asked (piece, at)
    join traffic_bucket on bucket = at
    cross join lateral (
        select count(distinct visitor_id) as visitors
        from (
            select visitor_id
            from session
            where session.site_id = %(site_id)s
                and started_at >= at - interval '24 hours' and started_at < at
                and ended_at >= at
            order by started_at desc
            limit open_at_start
        ) as visitor
    ) as visiting
    where traffic_bucket.site_id = %(site_id)s
)
select piece, sum(visitors)::bigint as visitors
from (
    select * from over
    union all
    select * from whole
    union all
    select * from quarterly
    union all
    select * from ending
    union all
    select * from gap
    union all
    select * from met
) as found
group by piece
