-- traffic_by_buckets
-- Sums of quarters of an hour; only who came is a question to the sessions, since people cannot be added up.
with edge as (
    select ordinality as piece, bucket from unnest(%(edges)s::timestamptz[]) with ordinality as given (bucket, ordinality)
),
inside as (
    select
        width_bucket(bucket, %(edges)s::timestamptz[]) as piece,
        sum(pageviews) as pageviews, sum(custom_events) as events,
        sum(sessions) as sessions, sum(bounces) as bounces, sum(seconds) as seconds
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(start)s and bucket < %(end)s
    group by 1
),
came as (
    select
        visitor_id,
        generate_series(
            greatest(width_bucket(started_at, %(edges)s::timestamptz[]), 1),
            least(width_bucket(ended_at, %(edges)s::timestamptz[]), %(pieces)s)
        ) as piece
    from session
    where site_id = %(site_id)s
        and started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(end)s and ended_at >= %(start)s
),
visiting as (
    select piece, count(distinct visitor_id) as visitors from came group by piece
)
select
    edge.piece, coalesce(visitors, 0) as visitors,
    coalesce(pageviews, 0)::bigint as pageviews, coalesce(events, 0)::bigint as events,
    (coalesce(inside.sessions, 0) + coalesce(carried, 0))::bigint as sessions, coalesce(inside.bounces, 0)::bigint as bounces,
    (coalesce(inside.seconds, 0) + coalesce(carried_seconds, 0))::bigint as seconds
from edge
left join inside using (piece)
left join visiting using (piece)
left join (
    select bucket, carried, carried_seconds
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(start)s and bucket < %(end)s
) as at using (bucket)
where edge.piece <= %(pieces)s
