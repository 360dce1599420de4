-- conversions
-- Conversions that can fall into the day, by the index that begins with their number.
select conversion.number, first_at, last_at
from (select distinct number from goal_version where site_id = %(site_id)s) as present
join conversion on conversion.site_id = %(site_id)s and conversion.number = present.number
    and ended_at >= %(since)s::timestamptz and ended_at < %(day_after)s
