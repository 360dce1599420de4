-- growing
(
    select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0)
    from changed_session
    join {schema}.session as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
)::bigint as hits,
coalesce(
    (select open_at_start from {schema}.traffic_bucket where site_id = %(site_id)s and bucket = %(later_since)s), 0
)
+ (
    select count(*) from {schema}.session as after where after.site_id = %(site_id)s and {is_at_midnight}
) as open_at_start
