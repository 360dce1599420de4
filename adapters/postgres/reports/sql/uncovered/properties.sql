-- properties
-- As lists in one JSON text: rows would take several times as long to be handed over.
with {sessions}{owners}, {properties/event}
select json_build_object(
    'key', coalesce(json_agg(key), '[]'), 'count', coalesce(json_agg(count), '[]'),
    'sessions', coalesce(json_agg(sessions), '[]')
)::text as found
from ({properties/keys}) as one
