-- try_lock_checkpoint
select position, journal_position
from projection_checkpoint
where name = 'reports' and projection_version = %(projection_version)s
for update skip locked
