-- sessions
select session.*
from session
where session.site_id = %(site_id)s and {conditions}
