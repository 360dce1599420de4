-- lock_quotas
select known.site_id, known.month, known.used
from pageview_quota as known
join unnest(%(sites)s::bigint[], %(months)s::date[]) as asked (site_id, month) using (site_id, month)
order by known.site_id, known.month
for update of known
