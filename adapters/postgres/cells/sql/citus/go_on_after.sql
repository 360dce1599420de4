-- go_on_after
-- Of nothing, null, they go on with their first number.
select setval(name, coalesce(greatest(last, 1), 1), coalesce(last, 0) > 0)
from unnest(
    array['hit_position', 'event_position', 'import_number'], array[%(position)s, %(event)s, %(import)s]::bigint[]
) as used (name, last)
