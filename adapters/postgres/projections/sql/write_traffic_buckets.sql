-- write_traffic_buckets
insert into traffic_bucket as kept (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors,
    sessions, viewed, bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
)
with span as (
    select site_id, 1 as sign, view, bounce, started_at, ended_at from session_delta
    union all
    select site_id, -1, was_view, was_bounce, was_started_at, was_ended_at from session_delta where was_started_at is not null
    union all
    select
        site_id, sign, view_of(pageviews), bounce_of(pageviews, custom_events, outbound_clicks), started_at, ended_at
    from regrouped
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
        0 as sessions, 0 as viewed, 0 as bounces, 0 as seconds,
        0 as open_at_start, 0 as open_at_start_viewed, 0 as open_at_start_bounces, 0 as open_at_start_seconds
    from slice
    where not again
    group by 1, 2
    union all
    select site_id, bucket_of(started_at), 0, 0, 0, 0, 0, sign, sign * view, sign * bounce, sign * seconds, 0, 0, 0, 0
    from lasting
    union all
    select site_id, bucket, 0, 0, 0, 0, 0, 0, 0, 0, 0, sign, sign * view, sign * bounce, sign * seconds
    from lasting
    cross join lateral buckets_open_at_start(started_at, ended_at) as bucket
    where ended_at >= bucket_of(started_at) + interval '15 minutes'
)
select
    site_id, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks), sum(errors),
    sum(sessions), sum(viewed), sum(bounces), sum(seconds),
    sum(open_at_start), sum(open_at_start_viewed), sum(open_at_start_bounces), sum(open_at_start_seconds)
from change
group by site_id, bucket
on conflict (site_id, bucket) do update set
    pageviews = kept.pageviews + excluded.pageviews,
    custom_events = kept.custom_events + excluded.custom_events,
    performance_measures = kept.performance_measures + excluded.performance_measures,
    outbound_clicks = kept.outbound_clicks + excluded.outbound_clicks,
    errors = kept.errors + excluded.errors,
    sessions = kept.sessions + excluded.sessions,
    viewed = kept.viewed + excluded.viewed,
    bounces = kept.bounces + excluded.bounces,
    seconds = kept.seconds + excluded.seconds,
    open_at_start = kept.open_at_start + excluded.open_at_start,
    open_at_start_viewed = kept.open_at_start_viewed + excluded.open_at_start_viewed,
    open_at_start_bounces = kept.open_at_start_bounces + excluded.open_at_start_bounces,
    open_at_start_seconds = kept.open_at_start_seconds + excluded.open_at_start_seconds
