-- The two logs and what guards them.
--
-- Advisory locks of Footfall have the class 1181708916: 1 guards the order of the journal, 2 that of the traffic log,
-- 3 the migrations, 4 the making of partitions.

create sequence organization_id;
create sequence user_id;
create sequence site_id;
create sequence goal_id;
create sequence api_key_id;

-- The journal -------------------------------------------------------------------------------------------------------

create sequence event_position;

create table event (
    position bigint not null default nextval('event_position') primary key,
    stream text not null,
    version integer not null check (version > 0),
    type text not null,
    schema_version integer not null,
    data jsonb not null,
    recorded_at timestamptz not null,
    user_id text,
    key_prefix text,
    request_id text,
    constraint event_stream_version unique (stream, version)
);

create function refuse_change() returns trigger language plpgsql as $$
begin
    if coalesce(current_setting('footfall.erasing', true), '') = 'on' then
        return case tg_op when 'DELETE' then old else new end;
    end if;
    raise exception '% is append-only', tg_table_name using errcode = 'restrict_violation';
end
$$;

-- A sequence alone is not the order of commits: without this lock a reader that remembers the highest position it has
-- seen would miss rows that commit later. Taken before the first position is drawn, held until the commit.
create function lock_journal() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock(1181708916, 1);
    return null;
end
$$;

create function announce_event() returns trigger language plpgsql as $$
begin
    perform pg_notify('footfall_event', '');
    return null;
end
$$;

create trigger event_order before insert on event for each statement execute function lock_journal();
create trigger event_announced after insert on event for each statement execute function announce_event();
create trigger event_kept before update or delete on event for each row execute function refuse_change();
create trigger event_not_truncated before truncate on event for each statement execute function refuse_change();

-- The traffic log ---------------------------------------------------------------------------------------------------

create type hit_type as enum ('pageview', 'custom_event', 'performance', 'outbound', 'error');

create sequence hit_position;

create table hit (
    position bigint not null default nextval('hit_position'),
    site_id bigint not null,
    visitor_id bigint not null,
    occurred_at timestamptz not null,
    received_at timestamptz not null,
    type hit_type not null,
    user_id text,
    hostname text,
    pathname text,
    querystring text,
    page_title text,
    referrer text,
    channel text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    language text,
    screen_width double precision,
    screen_height double precision,
    browser text,
    browser_version text,
    operating_system text,
    operating_system_version text,
    device_type text not null,
    country text,
    region text,
    city text,
    latitude double precision,
    longitude double precision,
    event_name text,
    properties jsonb,
    lcp double precision,
    cls double precision,
    inp double precision,
    fcp double precision,
    ttfb double precision
) partition by range (occurred_at);

create index hit_in_order on hit (position);
create index hit_of_site on hit (site_id, occurred_at);

-- Shared: writers do not wait for each other, only for the instant in which a reader asks how far it may read.
create function lock_traffic() returns trigger language plpgsql as $$
begin
    perform pg_advisory_xact_lock_shared(1181708916, 2);
    return null;
end
$$;

create trigger hit_order before insert on hit for each statement execute function lock_traffic();
-- Row triggers of a partitioned table hold on its partitions too; statement triggers do not, see hit_partition.
create trigger hit_kept before update or delete on hit for each row execute function refuse_change();
create trigger hit_not_truncated before truncate on hit for each statement execute function refuse_change();

-- Every position up to the horizon is committed, or was never used.
create function hit_horizon() returns bigint language plpgsql as $$
declare
    horizon bigint;
begin
    perform pg_advisory_xact_lock(1181708916, 2);
    select case when is_called then last_value else 0 end into horizon from hit_position;
    return horizon;
end
$$;

-- Makes the partition of a month. Attaching, unlike creating in place, does not wait for readers of the table.
create function hit_partition(at timestamptz) returns text language plpgsql as $$
declare
    first timestamp := date_trunc('month', at at time zone 'UTC');
    name text := 'hit_' || to_char(first, 'YYYYMM');
begin
    if exists (select from pg_inherits where inhparent = 'hit'::regclass and inhrelid = to_regclass(name)) then
        return name;
    end if;
    perform pg_advisory_xact_lock(1181708916, 4);
    if exists (select from pg_inherits where inhparent = 'hit'::regclass and inhrelid = to_regclass(name)) then
        return name;
    end if;
    execute format('create table %I (like hit including defaults)', name);
    execute format(
        'create trigger hit_order before insert on %I for each statement execute function lock_traffic()', name
    );
    execute format(
        'create trigger hit_not_truncated before truncate on %I for each statement execute function refuse_change()', name
    );
    execute format(
        'alter table hit attach partition %I for values from (%L) to (%L)',
        name, first at time zone 'UTC', (first + interval '1 month') at time zone 'UTC'
    );
    return name;
end
$$;

-- Salts of visitor hashes ---------------------------------------------------------------------------------------------

create table visitor_salt (
    day date primary key,
    salt bytea not null
);
