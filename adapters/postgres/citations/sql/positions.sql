-- Positions of the logs at a time.

-- name: at
-- The positions at the end of the last minute that was over at an instant.
select traffic, journal
from position_minute
where minute < date_trunc('minute', %(at)s::timestamptz, 'UTC')
order by minute desc
limit 1

-- name: first_minute
select min(minute) + interval '1 minute' as first from position_minute

-- name: present
-- How far the reports of this snapshot have read the traffic log, and the last event of the journal in it; of a
-- cell, up to where it knows the journal. And the definition of the sessions that they read.
select
    position as traffic,
    greatest((select max(position) from event), (select max(journal_position) from cell_mark), 0) as journal,
    sessions
from projection_checkpoint
where name = 'reports'
