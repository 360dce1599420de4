-- with_hits
-- One probe of the index for each site, however many hits it has.
select asked.site_id
from unnest(%(sites)s::bigint[], %(starts)s::timestamptz[], %(ends)s::timestamptz[]) as asked (site_id, starts, ends)
cross join lateral (
    select from hit
    where hit.site_id = asked.site_id and hit.occurred_at >= asked.starts and hit.occurred_at < asked.ends
    order by hit.occurred_at
    limit 1
) as first
