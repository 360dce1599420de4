-- keep_traffic_buckets
insert into traffic_bucket (
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors,
    sessions, bounces, seconds, carried, carried_seconds
)
with kept as (
    select
        started_at, ended_at, floor(date_part('epoch', ended_at - started_at))::bigint as seconds,
        case
            when pageviews = 1 and custom_events + performance_measures + outbound_clicks + errors = 0 then 1
            else 0
        end as bounce
    from session
    where site_id = %(site_id)s and started_at < %(before)s
),
part as (
    select
        bucket_of(occurred_at) as bucket,
        count(*) filter (where type = 'pageview') as pageviews,
        count(*) filter (where type = 'custom_event') as custom_events,
        count(*) filter (where type = 'performance') as performance_measures,
        count(*) filter (where type = 'outbound') as outbound_clicks,
        count(*) filter (where type = 'error') as errors,
        0 as sessions, 0 as bounces, 0 as seconds, 0 as carried, 0 as carried_seconds
    from hit
    where site_id = %(site_id)s and occurred_at < %(before)s and position <= %(projected)s
    group by 1
    union all
    select bucket_of(started_at), 0, 0, 0, 0, 0, 1, bounce, seconds, 0, 0 from kept
    union all
    select bucket, 0, 0, 0, 0, 0, 0, 0, 0, 1, seconds
    from kept
    cross join lateral buckets_carried(started_at, ended_at) as bucket
    where bucket < %(before)s
)
select
    %(site_id)s, bucket, sum(pageviews), sum(custom_events), sum(performance_measures), sum(outbound_clicks),
    sum(errors), sum(sessions), sum(bounces), sum(seconds), sum(carried), sum(carried_seconds)
from part
group by bucket
