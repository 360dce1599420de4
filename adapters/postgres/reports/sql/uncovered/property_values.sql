-- property_values
with {sessions}{owners}, {properties/event}
select json_build_object(
    'type', coalesce(json_agg(type), '[]'), 'value', coalesce(json_agg(value), '[]'),
    'number', coalesce(json_agg(number::text), '[]'), 'count', coalesce(json_agg(count), '[]'),
    'sessions', coalesce(json_agg(sessions), '[]')
)::text as found
from ({properties/groups}) as one
