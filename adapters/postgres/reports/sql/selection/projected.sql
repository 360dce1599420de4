-- projected
-- Hits stored since the checkpoint have no sessions yet. The condition excludes next to none: the sum keeps the planner from
-- using the index on the position for it.
hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')
