-- traffic_by_buckets
-- Sums of quarters of an hour.
with edge as (
    select ordinality as piece, bucket
    from unnest(%(edges)b::timestamptz[]) with ordinality as given (bucket, ordinality)
),
inside as (
    select
        width_bucket(bucket, %(edges)b::timestamptz[]) as piece,
        sum(pageviews) as pageviews, sum(custom_events) as events,
        sum(sessions) as sessions, sum(viewed) as viewed, sum(bounces) as bounces, sum(seconds) as seconds
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(start)s and bucket < %(end)s
    group by 1
)
select
    edge.piece, coalesce(pageviews, 0)::bigint as pageviews, coalesce(events, 0)::bigint as events,
    (coalesce(inside.sessions, 0) + coalesce(open_at_start, 0))::bigint as sessions,
    (coalesce(inside.viewed, 0) + coalesce(open_at_start_viewed, 0))::bigint as sessions_with_pageviews,
    (coalesce(inside.bounces, 0) + coalesce(open_at_start_bounces, 0))::bigint as bounces,
    (coalesce(inside.seconds, 0) + coalesce(open_at_start_seconds, 0))::bigint as seconds
from edge
left join inside using (piece)
left join (
    select bucket, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
    from traffic_bucket
    where site_id = %(site_id)s and bucket >= %(start)s and bucket < %(end)s
) as at using (bucket)
where edge.piece <= %(pieces)s
order by edge.piece
