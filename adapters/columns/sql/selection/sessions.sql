-- sessions
-- The sessions of the files that a report is about. Consecutive hits of a session are at most 30 minutes apart: one that
-- spans a period of a day or more has hits in it.
select *
from read_parquet($session_files)
where started_at < $end and ended_at >= $start and {unchanged} and {conditions}
