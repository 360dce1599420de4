-- are_current
-- Of a deleted site none is, once the versions of the set in use are revoked: those of the next set may still be there.
select
    count(*) = cardinality(%(days)s::timestamptz[])
    and exists (select from projection_checkpoint where name = 'reports' and sessions = 2) as current
from unnest(%(days)s::timestamptz[], %(versions)s::uuid[]) as asked (day, version)
join column_day using (day, version)
where site_id = %(site_id)s and state = 'closed' and store = column_store()
    and not exists (select from erasure where deleted_site = %(site_id)s and round > 0)
