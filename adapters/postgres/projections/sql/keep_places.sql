-- keep_places
update slice
set session_id = placed.target_id
from placed
where placed.kind = 'hit' and slice.position = placed.number
