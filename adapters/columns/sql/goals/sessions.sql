-- sessions
select count(*) as sessions, count(*) filter (where pageviews > 0) as viewed
from ({sessions}) as session
