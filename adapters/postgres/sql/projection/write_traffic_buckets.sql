-- write_traffic_buckets
insert into traffic_bucket as kept (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors,
    sessions, bounces, seconds, carried, carried_seconds
)
with span as (
    select site_id, 1 as sign, bounce, started_at, ended_at from touched
    union all
    select site_id, -1, was_bounce, was_started_at, was_ended_at from touched where was_started_at is not null
),
lasting as (
    select *, floor(date_part('epoch', ended_at - started_at))::bigint as seconds from span
),
change as (
    select
        site_id, bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        0 as sessions, 0 as bounces, 0 as seconds, 0 as carried, 0 as carried_seconds
    from slice
    group by 1, 2
    union all
    select site_id, bucket_of(started_at), 0, 0, 0, 0, 0, sign, sign * bounce, sign * seconds, 0, 0
    from lasting
    union all
    select site_id, bucket, 0, 0, 0, 0, 0, 0, 0, 0, sign, sign * seconds
    from lasting
    cross join lateral buckets_carried(started_at, ended_at) as bucket
    where ended_at >= bucket_of(started_at) + interval '15 minutes'
)
select
    site_id, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks), sum(errors),
    sum(sessions), sum(bounces), sum(seconds), sum(carried), sum(carried_seconds)
from change
group by site_id, bucket
on conflict (site_id, bucket) do update set
    pageviews = kept.pageviews + excluded.pageviews,
    custom_events = kept.custom_events + excluded.custom_events,
    performance_measures = kept.performance_measures + excluded.performance_measures,
    outbound_clicks = kept.outbound_clicks + excluded.outbound_clicks,
    errors = kept.errors + excluded.errors,
    sessions = kept.sessions + excluded.sessions,
    bounces = kept.bounces + excluded.bounces,
    seconds = kept.seconds + excluded.seconds,
    carried = kept.carried + excluded.carried,
    carried_seconds = kept.carried_seconds + excluded.carried_seconds
