-- lock_checkpoint
select position as projected
from projection_checkpoint
where name = 'reports' and projection_version = %(projection_version)s
for update
