-- progress
-- The newest position bounds all committed hits from above; unlike the high-water mark it takes no lock.
select position, (select case when is_called then last_value else 0 end from hit_position) as newest
from projection_checkpoint
where name = 'reports'
