-- traffic_bucket
-- What later hits have added is in the temporary table of the same name.
select
    site_id, bucket, pageviews, custom_events, performance_measures, outbound_clicks, errors, new_messages, sessions, viewed,
    bounces, seconds, open_at_start, open_at_start_viewed, open_at_start_bounces, open_at_start_seconds
from {schema}.traffic_bucket
where site_id = {site_id} and bucket < {changed_since}
union all
select
    site_id, bucket,
    kept.pageviews - coalesce(added.pageviews, 0),
    kept.custom_events - coalesce(added.custom_events, 0),
    kept.performance_measures - coalesce(added.performance_measures, 0),
    kept.outbound_clicks - coalesce(added.outbound_clicks, 0),
    kept.errors - coalesce(added.errors, 0),
    kept.new_messages,
    kept.sessions - coalesce(added.sessions, 0),
    kept.viewed - coalesce(added.viewed, 0),
    kept.bounces - coalesce(added.bounces, 0),
    kept.seconds - coalesce(added.seconds, 0),
    kept.open_at_start - coalesce(added.open_at_start, 0),
    kept.open_at_start_viewed - coalesce(added.open_at_start_viewed, 0),
    kept.open_at_start_bounces - coalesce(added.open_at_start_bounces, 0),
    kept.open_at_start_seconds - coalesce(added.open_at_start_seconds, 0)
from {schema}.traffic_bucket as kept
left join pg_temp.traffic_bucket as added using (site_id, bucket)
where site_id = {site_id} and bucket >= {changed_since} and bucket < {later_since}
