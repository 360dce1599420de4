-- traffic_by_buckets
-- Sums of quarters of an hour; only who came is a question to the sessions, since people cannot be added up. Who had come
-- before a piece and was still there is found backwards from its beginning: how many these are is known.
with edge as (
    select ordinality as piece, bucket, lead(bucket) over (order by ordinality) as until
    from unnest(%(edges)s::timestamptz[]) with ordinality as given (bucket, ordinality)
),
inside as (
    select
        width_bucket(bucket, %(edges)s::timestamptz[]) as piece,
        sum(pageviews) as pageviews, sum(custom_events) as events,
        sum(sessions) as sessions, sum(bounces) as bounces, sum(seconds) as seconds
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(start)s and bucket < %(end)s
    group by 1
)
select
    edge.piece, visitors,
    coalesce(pageviews, 0)::bigint as pageviews, coalesce(events, 0)::bigint as events,
    (coalesce(inside.sessions, 0) + coalesce(carried, 0))::bigint as sessions, coalesce(inside.bounces, 0)::bigint as bounces,
    (coalesce(inside.seconds, 0) + coalesce(carried_seconds, 0))::bigint as seconds
from edge
left join inside using (piece)
left join (
    select bucket, carried, carried_seconds
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(start)s and bucket < %(end)s
) as at using (bucket)
cross join lateral (
    select count(distinct visitor_id) as visitors
    from (
        select visitor_id
        from session
        where site_id = %(site_id)s and started_at >= edge.bucket and started_at < edge.until
        union all
        (
            select visitor_id
            from session
            where site_id = %(site_id)s
                and started_at >= edge.bucket - interval '24 hours' and started_at < edge.bucket
                and ended_at >= edge.bucket
            order by started_at desc
            limit coalesce(carried, 0)
        )
    ) as visitor
) as visiting
where edge.piece <= %(pieces)s
