-- keys
select key, count(*) as count, count(distinct session_id) as sessions
from event_of_rule
cross join lateral jsonb_object_keys(properties) as key
group by key
