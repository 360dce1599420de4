-- property_pieces
with {sessions}{owners}, {properties/event}
select json_build_object(
    'piece', coalesce(json_agg(piece), '[]'), 'count', coalesce(json_agg(count), '[]'),
    'sum', coalesce(json_agg(sum::text), '[]')
)::text as found
from ({properties/pieces}) as one
