-- lock_checkpoint
select position, journal_position
from projection_checkpoint
where name = 'reports'
for update skip locked
