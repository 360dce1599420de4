-- Imports from other services: which hits an import brought, how far it has read, and its ledger.

-- Null for tracked hits. The hits of an import are found by its days: there is no index on it.
alter table hit add column import_id bigint;

-- One row a source that a site imports, kept when it is imported again and removed when the import is taken back.
create table site_import (
    import_id bigint generated always as identity primary key,
    site_id bigint not null,
    format text not null,
    -- Tells this source from others of its format; visitors of different sources are different visitors.
    source_key text not null,
    -- The source as people know it, without secrets.
    source text not null,
    state text not null check (state in ('running', 'complete', 'undoing')),
    started_at timestamptz not null,
    changed_at timestamptz not null,
    -- Up to where the source has been read, in its own terms: moved in the transaction that stores the hits.
    mark text,
    steps bigint not null default 0,
    unique (site_id, format, source_key)
);

-- Rows that have been read: stored ones have no reason. Rows without a readable time have an empty day.
create table import_ledger (
    site_id bigint not null,
    import_id bigint not null,
    day text not null,
    type text not null,
    reason text not null,
    rows bigint not null,
    primary key (import_id, day, type, reason)
) with (fillfactor = 50);

-- Imported hits were not received from visitors: they are in the ledger of their import and in no outcome.
create or replace function count_stored() returns trigger language plpgsql as $$
begin
    insert into ingestion_outcome as counted (site_id, quarter, outcome, reason, slot, events)
    select site_id, date_bin('15 minutes', received_at, '2000-01-01Z'), 'stored', '', pg_backend_pid() % 64, count(*)
    from stored
    where import_id is null
    group by 1, 2
    order by 1, 2
    on conflict (site_id, quarter, outcome, reason, slot) do update set events = counted.events + excluded.events;
    return null;
end
$$;

-- Imported pageviews are not charged to the monthly limit.
create or replace function stored_pageviews(site bigint, month date) returns bigint language sql stable as $$
    select count(*)
    from hit
    where site_id = site
      and type = 'pageview'
      and import_id is null
      and occurred_at >= month::timestamp at time zone 'UTC' - interval '31 days'
      and received_at >= month::timestamp at time zone 'UTC'
      and received_at < (month + interval '1 month') at time zone 'UTC'
$$;
