-- hits
-- The hits in the period of the sessions that a report is about.
select *
from hit
where occurred_at >= $start and occurred_at < $end and {of_type} and {conditions}
