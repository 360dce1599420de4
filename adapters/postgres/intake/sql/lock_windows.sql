-- lock_windows
select key_id, admitted from rate_window where key_id = any(%(keys)s) order by key_id for update
