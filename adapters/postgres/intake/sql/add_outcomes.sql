-- add_outcomes
insert into ingestion_outcome as counted (site_id, quarter, outcome, reason, slot, events)
select site_id, quarter, outcome, reason, pg_backend_pid() %% 64, sum(events)
from unnest(
    %(sites)s::bigint[], %(quarters)s::timestamptz[], %(outcomes)s::text[], %(reasons)s::text[], %(events)s::bigint[]
) as added (site_id, quarter, outcome, reason, events)
group by site_id, quarter, outcome, reason
order by site_id, quarter, outcome, reason
on conflict (site_id, quarter, outcome, reason, slot) do update set events = counted.events + excluded.events
