-- Counts of stored and dropped events.

-- name: current_transaction
select pg_current_xact_id()::text as transaction

-- name: claim_addition
-- Sites are numbered from 1 on: no name of a client is in the way.
insert into idempotency as stored (site_id, key, fingerprint, stored_at)
values (0, %(source)s, %(number)s, statement_timestamp())
on conflict (site_id, key) do update set fingerprint = excluded.fingerprint, stored_at = excluded.stored_at
where stored.fingerprint < excluded.fingerprint
returning key

-- name: add_outcomes
insert into ingestion_outcome as counted (site_id, quarter, outcome, reason, slot, events)
select site_id, quarter, outcome, reason, pg_backend_pid() %% 64, sum(events)
from unnest(
    %(sites)s::bigint[], %(quarters)s::timestamptz[], %(outcomes)s::text[], %(reasons)s::text[], %(events)s::bigint[]
) as added (site_id, quarter, outcome, reason, events)
group by site_id, quarter, outcome, reason
order by site_id, quarter, outcome, reason
on conflict (site_id, quarter, outcome, reason, slot) do update set events = counted.events + excluded.events

-- name: read_outcomes
select outcome, reason, sum(events)::bigint as events
from ingestion_outcome
where site_id = %(site_id)s and quarter >= %(start)s and quarter < %(end)s
group by outcome, reason
order by outcome, reason

-- name: read_outcome_quarters
select quarter, outcome, reason, sum(events)::bigint as events
from ingestion_outcome
where site_id = %(site_id)s and quarter >= %(start)s and quarter < %(end)s
group by quarter, outcome, reason
