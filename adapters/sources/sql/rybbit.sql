-- Goals of Rybbit.

-- name: goal_sites
select distinct site_id::text as site_id from goals order by site_id limit %(most)s

-- name: goals
select goal_id::text as goal_id, name, goal_type, config::text as config
from goals
where site_id = %(site_id)s::bigint
