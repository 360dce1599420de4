-- placed
select session_id, until_next, hits.*
from hits
join places using (position)
order by type, session_id, position
