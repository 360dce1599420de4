-- present
-- How far the reports of this snapshot have read the traffic log, and the last event of the journal in it; of a
-- cell, up to where it knows the journal. And the definition of the sessions that they read.
select
    position as traffic,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    sessions
from projection_checkpoint
where name = 'reports'
