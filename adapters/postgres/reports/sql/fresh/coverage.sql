-- coverage
-- The days of a span, and the versions that they have now, if any. Those that another store gave, of which this one is a copy, are
-- not current.
select day, case when state = 'closed' and store = column_store() then version end as version
from column_day
where site_id = %(site_id)s
    and (day = any(%(days)s::timestamptz[]) or day > %(start)s::timestamptz - interval '48 hours' and day < %(end)s)
