-- span
select min(started_at) as start, max(ended_at) as end
from session
where {kept}
