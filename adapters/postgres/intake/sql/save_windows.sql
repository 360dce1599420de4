-- save_windows
update rate_window
set admitted = array(select jsonb_array_elements_text(saved.admitted)::bigint)
from jsonb_to_recordset(%(windows)s) as saved (key_id bigint, admitted jsonb)
where rate_window.key_id = saved.key_id
