-- settled_goals
-- Goals that have had their rule for an hour: until then it is often changed again.
select goal_version.site_id, goal_version.number
from goal_version
join event on event.position = goal_version.number
where fill_from is null and set_aside is null and recorded_at < now() - interval '1 hour'
    and (%(site_id)s::bigint is null or goal_version.site_id = %(site_id)s)
order by site_id, number
