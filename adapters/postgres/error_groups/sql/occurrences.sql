-- occurrences
select hit.*, sighting.session_id, sighting.known_user
from hit
{session_of_hit}
where hit.position = any(%(positions)s::bigint[]) and hit.site_id = %(site_id)s
