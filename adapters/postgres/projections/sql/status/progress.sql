-- progress
-- The newest position bounds all committed hits from above; unlike the high-water mark it takes no lock. A goal whose
-- past is being counted has left its first place once the first piece has been: of most sites that is the whole.
select
    position, journal_position,
    (select case when is_called then last_value else 0 end from hit_position) as newest,
    (select coalesce(max(event.position), 0) from event) as journal_newest,
    exists (
        select from goal_version where site_id = %(site_id)s and fill_from = '-infinity'
    ) as new_goals
from projection_checkpoint
where name = 'reports'
