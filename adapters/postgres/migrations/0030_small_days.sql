-- Small days have files, too, where those of a site have many hits together (docs/internals/columns.md#small-days).

-- Of a closed or small day: the hits that happened on it when it was closed. Statements of the version before name another
-- column `hits`.
alter table column_day add column held_hits bigint not null default 0;

update column_day
set held_hits = counted.hits
from (
    select
        site_id, day_of(bucket) as day,
        sum(pageviews + custom_events + performance_measures + outbound_clicks + errors) as hits
    from traffic_bucket
    group by site_id, day_of(bucket)
) as counted
where column_day.site_id = counted.site_id and column_day.day = counted.day and state <> 'open';

-- Later ones are closed when a day of their site has become small: of a site without traffic none does.
with many as materialized (
    select site_id
    from column_day
    where state = 'small' and day < now() - interval '3 days'
        and not exists (select from erasure where deleted_site = site_id)
    group by site_id
    having sum(held_hits) >= 5000
),
chosen as materialized (
    select site_id, day, gen_random_uuid() as version, column_store() as store
    from column_day
    join many using (site_id)
    where state = 'small' and day < now() - interval '3 days'
)
update column_day
set state = 'closed', version = chosen.version, store = chosen.store, since = now()
from chosen
where column_day.site_id = chosen.site_id and column_day.day = chosen.day;
