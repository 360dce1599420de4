-- close_small_days
-- Settled small days of some sites, where these have many hits together; what they hold has not changed since they were closed.
with many as materialized (
    select site_id
    from column_day
    where site_id = any(%(sites)s::bigint[]) and state = 'small' and day < now() - %(settled)s::interval
    group by site_id
    having sum(held_hits) >= %(together)s
),
chosen as materialized (
    select site_id, day, gen_random_uuid() as version, column_store() as store
    from column_day
    join many using (site_id)
    where state = 'small' and day < now() - %(settled)s::interval
)
update column_day
set state = 'closed', version = chosen.version, store = chosen.store, since = now()
from chosen
where column_day.site_id = chosen.site_id and column_day.day = chosen.day
