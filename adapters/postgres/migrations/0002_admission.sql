-- What decides about a hit in the transaction that stores it, and the count of what became of every event.

create table rate_window (
    key_id bigint primary key,
    -- Microseconds since 1970, ascending; at most as many as the limit allows.
    admitted bigint[] not null
) with (fillfactor = 50);

create table idempotency (
    site_id bigint not null,
    key text not null,
    fingerprint bytea not null,
    stored_at timestamptz not null,
    primary key (site_id, key)
);

create index idempotency_by_age on idempotency (stored_at);

create table pageview_quota (
    site_id bigint not null,
    month date not null,
    used bigint not null,
    primary key (site_id, month)
) with (fillfactor = 50);

-- One row for each quarter of an hour; site 0 stands for events that named no site. `slot` keeps the workers' commits
-- from waiting for each other's row.
create table ingestion_outcome (
    site_id bigint not null,
    quarter timestamptz not null,
    outcome text not null,
    reason text not null,
    slot smallint not null,
    events bigint not null,
    primary key (site_id, quarter, outcome, reason, slot)
) with (fillfactor = 50);

-- Stored hits are counted where they are stored, so that no writer can forget.
create function count_stored() returns trigger language plpgsql as $$
begin
    insert into ingestion_outcome as counted (site_id, quarter, outcome, reason, slot, events)
    select site_id, date_bin('15 minutes', received_at, '2000-01-01Z'), 'stored', '', pg_backend_pid() % 64, count(*)
    from stored
    group by 1, 2
    order by 1, 2
    on conflict (site_id, quarter, outcome, reason, slot) do update set events = counted.events + excluded.events;
    return null;
end
$$;

create trigger hit_counted after insert on hit
    referencing new table as stored
    for each statement execute function count_stored();

-- The pageviews of a month that were stored before the site had a limit.
create function stored_pageviews(site bigint, month date) returns bigint language sql stable as $$
    select count(*)
    from hit
    where site_id = site
      and type = 'pageview'
      and occurred_at >= month::timestamp at time zone 'UTC' - interval '31 days'
      and received_at >= month::timestamp at time zone 'UTC'
      and received_at < (month + interval '1 month') at time zone 'UTC'
$$;
