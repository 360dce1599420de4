-- read_goal_events
select position, stream, type, schema_version, data::text as data
from event
where position > %(after)s and position <= %(up_to)s and (type like 'goal-%%' or type = 'site-deleted')
order by position
