-- move_error_occurrences
update error_occurrence
set session_id = new_errors.session_id
from new_errors
where again and error_occurrence.site_id = new_errors.site_id and error_occurrence.message_id = new_errors.message_id
    and error_occurrence.occurred_at = new_errors.occurred_at and error_occurrence.position = new_errors.position
