-- filled_goals
select version, number
from goal_version
where site_id = %(site_id)s and version = any(%(versions)s) and fill_from is null
