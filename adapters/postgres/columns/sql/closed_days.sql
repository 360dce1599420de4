-- closed_days
select site_id, day, version
from column_day
where state = 'closed' and store = column_store() and (%(site_id)s::bigint is null or site_id = %(site_id)s)
order by site_id, day
