-- move_error_sightings
update error_sighting
set session_id = new_errors.session_id
from new_errors
where again and error_sighting.site_id = new_errors.site_id and error_sighting.occurred_at = new_errors.occurred_at
    and error_sighting.position = new_errors.position
