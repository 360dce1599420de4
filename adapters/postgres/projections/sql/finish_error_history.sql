-- finish_error_history
delete from error_history
