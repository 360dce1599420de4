-- sightings
-- Where sessions met groups first, as lists in one JSON text: rows would take several times as long to be handed over.
with {costs/members}, {costs/first}
select json_build_object(
    'owner', coalesce(json_agg(owner), '[]'), 'session', coalesce(json_agg(session_id), '[]'),
    'position', coalesce(json_agg(position), '[]')
)::text as sightings
from first
