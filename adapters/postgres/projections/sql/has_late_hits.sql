-- has_late_hits
-- Asked first: to plan the statement that places them takes some milliseconds.
select exists (select from slice where session_id is null) as late
