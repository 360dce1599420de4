-- claim_day
-- The latest first: it is asked for most often. Without `quiet` no day has to have ended.
with due as (
    select site_id, day
    from day_summary_state
    where state in ('changed', 'counting')
        and day < coalesce(now() - interval '24 hours' - %(quiet)s::interval, 'infinity')
        and changed_at < coalesce(now() - %(quiet)s::interval, 'infinity')
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
update day_summary_state
set state = case when hits < %(small)s then 'small'::day_state else 'counting' end
from busy
where day_summary_state.site_id = busy.site_id and day_summary_state.day = busy.day
returning day_summary_state.site_id, day_summary_state.day, state
