-- unanswered
-- Nodes register every minute; one that has not done so for ten is down, or its store is idle.
select node
from column_node
where asked_at > coalesce(answered_at, '-infinity') and seen_at > now() - interval '10 minutes'
order by node
