-- write_error_occurrences
insert into error_occurrence (site_id, message_id, occurred_at, position, session_id)
select site_id, message_id, occurred_at, position, session_id from new_errors where not again
