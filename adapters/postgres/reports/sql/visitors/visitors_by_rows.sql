-- visitors_by_rows
-- Visitors of each piece sorted by themselves, from an index that holds them. Visitors whose session was open at the
-- beginning of a piece are read backwards from it: traffic_bucket holds their number.
select piece, visitors
from unnest(%(row_pieces)s::integer[], %(row_starts)s::timestamptz[], %(row_ends)s::timestamptz[]) as asked (piece, "from", "to")
left join (
    select bucket, open_at_start from traffic_bucket where site_id = %(site_id)s and bucket = any(%(row_starts)s::timestamptz[])
) as at on bucket = "from"
cross join lateral (
    select count(distinct visitor_id) as visitors
    from (
        select visitor_id
        from session
        where site_id = %(site_id)s and started_at >= "from" and started_at < "to"
        union all
        (
            select visitor_id
            from session
            where site_id = %(site_id)s
                and started_at >= "from" - interval '24 hours' and started_at < "from"
                and ended_at >= "from"
            order by started_at desc
            limit coalesce(open_at_start, 0)
        )
    ) as visitor
) as visiting
