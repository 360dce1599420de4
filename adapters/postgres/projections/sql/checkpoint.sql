-- How far the logs are projected.

-- name: configure_projector
-- A crash may lose the last slices of derived rows: they are derived again.
-- Working tables have no statistics: the planner, which takes them for small, would sort both sides to merge them.
select
    set_config('synchronous_commit', 'off', false), set_config('work_mem', '64MB', false),
    set_config('enable_mergejoin', 'off', false)

-- name: outlook
select
    position, journal_position,
    (select case when is_called then last_value else 0 end from hit_position) as newest,
    (select coalesce(max(event.position), 0) from event) as journal_newest,
    exists (select from goal_version where fill_from is not null) as filling,
    exists (select from retired_goal_version) as forgetting,
    exists (
        select from error_day_due where day < now() - interval '24 hours' and since < now() - %(count_rest)s::interval
    ) as counting,
    moved_at < clock_timestamp() - %(rest)s * interval '1 second' as rested
from projection_checkpoint
where name = 'reports'

-- name: high_water_mark
select hit_high_water_mark() as high_water_mark

-- name: lock_checkpoint
select position as projected
from projection_checkpoint
where name = 'reports' and projection_version = %(projection_version)s
for update

-- name: try_lock_checkpoint
select position, journal_position
from projection_checkpoint
where name = 'reports' and projection_version = %(projection_version)s
for update skip locked

-- name: move_checkpoint
update projection_checkpoint
set position = %(position)s, journal_position = %(journal_position)s, moved_at = statement_timestamp()
where name = 'reports'

-- name: note_positions
insert into position_minute as kept (minute, traffic, journal)
values (date_trunc('minute', clock_timestamp(), 'UTC'), %(position)s, %(journal_position)s)
on conflict (minute) do update set
    traffic = greatest(kept.traffic, excluded.traffic), journal = greatest(kept.journal, excluded.journal)

-- name: raise_day_positions
insert into day_position as kept (site_id, day, position)
select site_id, day_of(occurred_at), max(position) from slice group by 1, 2
on conflict (site_id, day) do update set position = greatest(kept.position, excluded.position)

-- name: raise_quarter_positions
insert into quarter_position as kept (site_id, quarter, first_position, last_position)
select site_id, bucket_of(occurred_at), min(position), max(position) from slice group by 1, 2
on conflict (site_id, quarter) do update set
    first_position = least(kept.first_position, excluded.first_position),
    last_position = greatest(kept.last_position, excluded.last_position)

-- name: renewal_is_due
select exists (select from projection_checkpoint where name = 'reports' and sessions = 1) as due
