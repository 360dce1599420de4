-- of_selected
session_id in (select session_id from selected)
