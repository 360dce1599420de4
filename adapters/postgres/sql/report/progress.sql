-- progress
-- What has been committed has a position up to the newest; to know no more takes no lock.
select position, (select case when is_called then last_value else 0 end from hit_position) as newest
from projection_checkpoint
where name = 'reports'
