-- move_error_history
update error_history
set after_site = %(last_site)s, after_message = %(last_message)s, after_time = %(last_time)s, after_position = %(last_position)s
