-- lock_checkpoint
select position, journal_position
from projection_checkpoint
where name = 'reports' and shape = %(shape)s
for update skip locked
