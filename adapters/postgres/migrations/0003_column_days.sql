-- Days of the columns: each has a version while nodes may keep its sessions and hits in files (docs/internals/columns.md).

-- 'small' days have so few sessions that rows answer as fast as files would.
create type column_day_state as enum ('open', 'closed', 'small');

-- A day of a site holds the sessions that started on it, in UTC.
create table column_day (
    site_id bigint not null,
    day timestamptz not null,
    state column_day_state not null,
    -- Since when the day has its state, and when a session of it last changed, to some seconds.
    since timestamptz not null,
    changed_at timestamptz not null,
    -- Of a closed day: a random id that nothing else ever had, the store that gave it, how many sessions there were
    -- then, and how many of these or others have changed since.
    version uuid,
    store text,
    sessions bigint not null default 0,
    changes bigint not null default 0,
    primary key (site_id, day),
    check (state <> 'closed' or (version is not null and store is not null))
) with (fillfactor = 50);

create index on column_day (day) where state = 'open';

-- The sessions of closed days that have changed since their day was closed: rows answer for them.
create table column_change (
    site_id bigint not null,
    day timestamptz not null,
    session_id bigint not null,
    primary key (site_id, day, session_id)
);

-- Nodes that may hold files, and which of them have swept those of deleted sites. The column has another name than
-- site_id, as in the table erasure, so that the list outlives the site.
create table column_node (
    node uuid primary key,
    seen_at timestamptz not null
);

create table column_sweep (
    deleted_site bigint not null,
    node uuid not null references column_node on delete cascade,
    primary key (deleted_site, node)
);

-- Which store this is: another one after a restore to a point in time, a fail-over, a dump and restore, or a copy of the
-- database. A version that another store gave says nothing about the rows of this one.
create function column_store() returns text language plpgsql stable as $$
declare
    timeline text := '';
begin
    begin
        timeline := left(pg_walfile_name(pg_current_wal_insert_lsn()), 8);
    exception when feature_not_supported or insufficient_privilege or object_not_in_prerequisite_state then
        -- Some hosted servers keep their log to themselves.
        timeline := '';
    end;
    return concat_ws(
        '-', (select system_identifier from pg_control_system()), timeline,
        (select oid from pg_database where datname = current_database()), 'hit'::regclass::oid
    );
end
$$;

-- All days that have sessions are open; the counts of days know them.
insert into column_day (site_id, day, state, since, changed_at)
select site_id, day, 'open', now(), now() from day_summary_state;

-- A projector that does not know these tables would not record changes.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 2;
