-- outlook
select
    position, journal_position,
    (select case when is_called then last_value else 0 end from hit_position) as newest,
    (select coalesce(max(event.position), 0) from event) as journal_newest,
    exists (select from goal_version where fill_from is not null) as filling,
    exists (select from retired_goal_version) as forgetting,
    exists (select from error_history) as grouping,
    moved_at < clock_timestamp() - %(rest)s * interval '1 second' as rested
from projection_checkpoint
where name = 'reports'
