-- touch_days
-- A hit lies within its session: the days of the session are those whose counts it can change, and the day on which the
-- visitor's next session starts, before which they have been last seen now. What comes in time has no next one: nobody
-- looks for it where no later day has been counted.
insert into traffic_day as kept (site_id, day, state, touched_at)
with latest as materialized (
    select site_id, day
    from (select distinct site_id from touched) as site
    cross join lateral (
        select day
        from traffic_day
        where traffic_day.site_id = site.site_id and state in ('counting', 'counted')
        order by day desc
        limit 1
    ) as counted
)
select site_id, day_of(started_at), 'touched'::day_state, now() from touched
union
select site_id, day_of(ended_at), 'touched'::day_state, now() from touched
union
select touched.site_id, day_of(next.started_at), 'touched'::day_state, now()
from touched
join latest on latest.site_id = touched.site_id and latest.day > touched.ended_at
cross join lateral (
    select min(its.started_at) as started_at
    from (
        select session.started_at
        from session
        where session.site_id = touched.site_id and session.visitor_id = touched.visitor_id
        offset 0
    ) as its
    where its.started_at > touched.ended_at
) as next
where next.started_at is not null
on conflict (site_id, day) do update set state = 'touched', touched_at = excluded.touched_at
where kept.state <> 'touched' or kept.touched_at < excluded.touched_at - interval '10 seconds'
