-- present
-- How far the reports of this snapshot have read the traffic log, and the last event of the journal in it; of a
-- cell, up to where it knows the journal.
select position as traffic, greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal
from projection_checkpoint
where name = 'reports'
