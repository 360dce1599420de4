-- make_quotas
insert into pageview_quota (site_id, month, used)
select asked.site_id, asked.month, stored_pageviews(asked.site_id, asked.month)
from unnest(%(sites)s::bigint[], %(months)s::date[]) as asked (site_id, month)
where not exists (
    select from pageview_quota as known where known.site_id = asked.site_id and known.month = asked.month
)
order by asked.site_id, asked.month
on conflict (site_id, month) do nothing
