-- goals_of_slice
select number, path_regex is not null as compiled
from goal_version
where site_id in (select site_id from slice)
    and set_aside is null
    and (%(numbers)s::bigint[] is null or number = any(%(numbers)s))
order by number
