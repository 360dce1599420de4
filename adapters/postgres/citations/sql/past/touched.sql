-- touched
-- Quarters of an hour around the span with hits of both sides: from `later_since` on, all are later.
select quarter
from {schema}.day_position
join {schema}.quarter_position using (site_id)
where site_id = %(site_id)s and position > %(traffic)s
    and quarter >= day and quarter < day + interval '24 hours'
    and last_position > %(traffic)s and quarter < {later_since}
    and quarter > %(since)s::timestamptz - interval '15 minutes' and quarter < %(until)s
