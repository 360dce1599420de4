-- goal_states
select version, number, fill_from is null as filled, set_aside
from goal_version
where site_id = %(site_id)s and version = any(%(versions)s)
