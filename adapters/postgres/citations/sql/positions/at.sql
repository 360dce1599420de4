-- at
-- The positions at the end of the last minute that was over at an instant.
select traffic, journal
from position_minute
where minute < date_trunc('minute', %(at)s::timestamptz, 'UTC')
order by minute desc
limit 1
