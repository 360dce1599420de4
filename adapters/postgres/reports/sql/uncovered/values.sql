-- values
with {sessions}{owners}
select json_build_object('value', coalesce(json_agg(value), '[]'), 'count', coalesce(json_agg(count), '[]'))::text as rest
from (select {value} as value, count(*) as count from {source} group by 1) as counted
