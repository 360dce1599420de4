-- state
select
    position, journal_position, sessions,
    (select count(*) from goal_version where fill_from is not null) as goals_to_fill
from projection_checkpoint
where name = 'reports'
