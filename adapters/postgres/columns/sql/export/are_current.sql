-- are_current
select count(*) = cardinality(%(days)s::timestamptz[]) as current
from unnest(%(days)s::timestamptz[], %(versions)s::uuid[]) as asked (day, version)
join column_day using (day, version)
where site_id = %(site_id)s and state = 'closed' and store = column_store()
