-- goals_set_aside
select goal_id, site_id, set_aside as reason
from goal_version
where set_aside is not null and (%(site_id)s::bigint is null or site_id = %(site_id)s)
order by site_id, goal_id
