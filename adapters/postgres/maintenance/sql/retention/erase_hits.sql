-- erase_hits
with looked_at as materialized (
    select ctid as place, position, visitor_id, occurred_at
    from {month}
    where site_id = %(site_id)s
        and occurred_at < %(before)s
        and position <= %(projected)s
        and (occurred_at, position) > (%(after_time)s::timestamptz, %(after_position)s::bigint)
    order by occurred_at, position
    limit %(limit)s
),
-- Sessions are erased as a whole: one that ends after the cutoff keeps its hits.
erased as (
    delete from {month}
    where ctid = any(array(
        select place
        from looked_at
        left join lateral (
            select ended_at
            from session
            where session.site_id = %(site_id)s
                and session.visitor_id = looked_at.visitor_id
                and session.started_at <= looked_at.occurred_at
            order by session.started_at desc
            limit 1
        ) as own on true
        where coalesce(own.ended_at < %(before)s, true)
    ))
    returning 1
)
select
    occurred_at as after_time, position as after_position, (select count(*) from erased) as erased
from looked_at
order by occurred_at desc, position desc
limit 1
