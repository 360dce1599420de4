-- hold_checkpoint
select position as projected
from projection_checkpoint
where name = 'reports' and shape = %(shape)s
for update
