-- values_and_visitors
with {sessions}{owners}
select json_build_object(
    'value', coalesce(json_agg(value), '[]'), 'visitor', coalesce(json_agg(visitor), '[]'),
    'count', coalesce(json_agg(count), '[]')
)::text as rest
from (select {value} as value, visitor_id as visitor, count(*) as count from {source} group by 1, 2) as counted
