-- matched
select session_id
from hit
where occurred_at >= $start and occurred_at < $end and {condition}
