-- save_quotas
update pageview_quota as known
set used = saved.used
from unnest(%(sites)s::bigint[], %(months)s::date[], %(used)s::bigint[]) as saved (site_id, month, used)
where known.site_id = saved.site_id and known.month = saved.month
