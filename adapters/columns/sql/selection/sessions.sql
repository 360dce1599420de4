-- sessions
-- The sessions that a report is about. Consecutive hits of a session are at most 30 minutes apart: one that
-- spans a period of 30 minutes or more has hits in it.
select *
from session
where started_at < $end and ended_at >= $start and {conditions}
