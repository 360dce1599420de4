-- session_of
select session_id
from hit
{session_of_hit}
where hit.position = %(position)s and hit.site_id = %(site_id)s
    and hit.position <= (select position from projection_checkpoint where name = 'reports')
