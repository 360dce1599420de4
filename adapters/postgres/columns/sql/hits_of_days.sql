-- hits_of_days
select
    (
        select coalesce(sum(pageviews + custom_events + performance_measures + outbound_clicks + errors), 0)::bigint
        from traffic_bucket
        where traffic_bucket.site_id = asked.site_id and bucket >= day and bucket < day + interval '24 hours'
    ) as hits
from unnest(%(sites)s::bigint[], %(days)s::timestamptz[]) with ordinality as asked (site_id, day, place)
order by place
