-- touched_days
-- The days around the span that have later hits.
select day
from day_position
where site_id = %(site_id)s and position > %(traffic)s
    and day > %(since)s::timestamptz - interval '24 hours' and day < %(until)s
order by day
