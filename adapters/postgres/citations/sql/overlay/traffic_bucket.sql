-- traffic_bucket
-- What later hits have added is in the temporary table of the same name.
select
    site_id, bucket,
    kept.pageviews - coalesce(added.pageviews, 0) as pageviews,
    kept.custom_events - coalesce(added.custom_events, 0) as custom_events,
    kept.performance_measures - coalesce(added.performance_measures, 0) as performance_measures,
    kept.outbound_clicks - coalesce(added.outbound_clicks, 0) as outbound_clicks,
    kept.errors - coalesce(added.errors, 0) as errors,
    kept.sessions - coalesce(added.sessions, 0) as sessions,
    kept.viewed - coalesce(added.viewed, 0) as viewed,
    kept.bounces - coalesce(added.bounces, 0) as bounces,
    kept.seconds - coalesce(added.seconds, 0) as seconds,
    kept.open_at_start - coalesce(added.open_at_start, 0) as open_at_start,
    kept.open_at_start_viewed - coalesce(added.open_at_start_viewed, 0) as open_at_start_viewed,
    kept.open_at_start_bounces - coalesce(added.open_at_start_bounces, 0) as open_at_start_bounces,
    kept.open_at_start_seconds - coalesce(added.open_at_start_seconds, 0) as open_at_start_seconds
from {schema}.traffic_bucket as kept
left join pg_temp.traffic_bucket as added using (site_id, bucket)
where site_id = {site_id}
