-- claim_day
-- The latest first: it is asked for most often. Without `quiet` no day has to have ended.
with due as (
    select site_id, day
    from traffic_day
    where state in ('touched', 'counting')
        and day < coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
        and touched_at < coalesce(now() - %(quiet)s::interval, 'infinity')
    order by day desc
    limit 1
),
busy as (
    select site_id, day, coalesce((
        select sum(pageviews + custom_events + performance_measures + outbound_clicks + errors)
        from traffic_bucket as kept
        where kept.site_id = due.site_id and bucket >= day and bucket < day + interval '24 hours'
    ), 0) as hits
    from due
)
update traffic_day
set state = case when hits < %(small)s then 'small'::day_state else 'counting' end
from busy
where traffic_day.site_id = busy.site_id and traffic_day.day = busy.day
returning traffic_day.site_id, traffic_day.day, state
