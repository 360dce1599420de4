-- touch_days
-- A hit lies within its session: the days of the session are those whose counts it can change.
insert into traffic_day as kept (site_id, day, state, touched_at)
select site_id, day_of(started_at), 'touched'::day_state, now() from touched
union
select site_id, day_of(ended_at), 'touched'::day_state, now() from touched
on conflict (site_id, day) do update set state = 'touched', touched_at = excluded.touched_at
where kept.state <> 'touched' or kept.touched_at < excluded.touched_at - interval '10 seconds'
