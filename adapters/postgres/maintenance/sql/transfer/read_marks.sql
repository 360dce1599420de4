-- read_marks
select site_id, visitor_id, cutoff, first_at as first, last_at as last
from session_mark
where site_id = %(site_id)s
order by visitor_id, cutoff
