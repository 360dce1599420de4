-- rybbit_goals
select goal_id::text as goal_id, name, goal_type, config::text as config
from goals
where site_id = %(site_id)s::bigint
