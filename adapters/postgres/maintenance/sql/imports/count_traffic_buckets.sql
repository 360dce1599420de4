-- count_traffic_buckets
-- No session lasts longer than a day: those that are open on it started on it or on the day before.
insert into traffic_bucket (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors, new_messages,
    sessions, viewed, bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
)
with near as (
    select
        started_at, ended_at, floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
        view_of(pageviews) as view, bounce_of(pageviews, custom_events, outbound_clicks) as bounce
    from session
    where site_id = %(site_id)s
        and started_at >= %(day_before)s and started_at < %(until)s::timestamptz
),
part as (
    select
        bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        0 as new_messages, 0 as sessions, 0 as viewed, 0 as bounces, 0 as seconds,
        0 as open_at_start, 0 as open_at_start_viewed, 0 as open_at_start_bounces, 0 as open_at_start_seconds
    from hit
    where site_id = %(site_id)s and position <= %(projected)s
        and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
    group by 1
    union all
    select bucket_of(started_at), 0, 0, 0, 0, 0, 0, 1, view, bounce, seconds, 0, 0, 0, 0
    from near
    where started_at >= %(since)s::timestamptz
    union all
    select bucket, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, view, bounce, seconds
    from near
    cross join lateral buckets_open_at_start(started_at, ended_at) as bucket
    where bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
    union all
    select bucket_of(first_seen), 0, 0, 0, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0
    from error_message
    where site_id = %(site_id)s and first_seen >= %(since)s::timestamptz and first_seen < %(until)s::timestamptz
)
select
    %(site_id)s, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks),
    sum(errors), sum(new_messages), sum(sessions), sum(viewed), sum(bounces), sum(seconds), sum(open_at_start),
    sum(open_at_start_viewed), sum(open_at_start_bounces), sum(open_at_start_seconds)
from part
group by bucket
