-- The schema of a store: the two logs with their guards, ledgers, read models, and their functions.
--
-- Advisory locks of Footfall have the class 1181708916: 1 guards the order of the journal, 2 that of the traffic log,
-- 3 the migrations, 4 the making of partitions, 9 the sending of mails, 12 moves of the store, 13 the evaluation of alert
-- rules, 15 the copying of a store that is written to.

create sequence organization_id;
create sequence user_id;
create sequence site_id;
create sequence goal_id;
create sequence api_key_id;
create sequence funnel_id;

-- The class of the store's advisory locks. The store of an installation has this one; a cell has one of its own, which
-- replaces the number wherever it stands in a migration, so that several cells of one database do not share locks.
create function lock_class() returns integer language sql immutable parallel safe as 'select 1181708916';

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
    if not pg_try_advisory_xact_lock_shared(1181708916, 12) then
        raise exception 'the store is being moved' using errcode = 'cannot_connect_now';
    end if;
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

-- The history of a site needs the goals, the funnels and the firings of rules that it ever had, deleted ones included, and so
-- does the erasure of a site.
create index event_goals_of_site on event (((data ->> 'site_id')::bigint)) where type = 'goal-defined';
create index event_funnels_of_site on event (((data ->> 'site_id')::bigint)) where type = 'funnel-defined';
create index event_firings_of_site on event (((data ->> 'site_id')::bigint)) where type = 'alert-fired';

-- Messages of errors that a member once marked as resolved, when this was still a decision about messages.
create index event_resolved_errors on event (stream, md5(data ->> 'message')) where type = 'error-resolved';

-- In the store of the journal: the sites of a cell.
create index event_of_placed_sites on event ((data ->> 'cell'), stream) where type = 'site-placed';

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
    ttfb double precision,
    -- Null for tracked hits. The hits of an import are found by its days: there is no index on it.
    import_id bigint,
    release text,
    color_scheme text,
    -- What speaks against a person (docs/track/automation.md), where the country is from, and the hosting network of the address
    -- (docs/track/enrichment.md).
    automation text,
    location_source text,
    network text,
    autonomous_system text,
    -- The digest of the name by which measures find their pageview.
    pageview_key bigint,
    -- The bot of the user agent, and whether its address is one that its operator publishes (docs/track/bots.md).
    bot text,
    bot_verified text,
    -- The visitor of the user for whom the backend of the site vouches (docs/track/signed-users.md).
    signed_visitor_id bigint
) partition by range (occurred_at);

create index hit_in_order on hit (position);
create index hit_of_site on hit (site_id, occurred_at);
create index hit_of_pageview on hit (pageview_key) where pageview_key is not null;

-- Shared: writers do not wait for each other, only for the instant in which a reader asks how far it may read.
create function lock_traffic() returns trigger language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(1181708916, 12) then
        raise exception 'the store is being moved' using errcode = 'cannot_connect_now';
    end if;
    perform pg_advisory_xact_lock_shared(1181708916, 2);
    return null;
end
$$;

create trigger hit_order before insert on hit for each statement execute function lock_traffic();
-- Row triggers of a partitioned table hold on its partitions too; statement triggers do not, see hit_partition.
create trigger hit_kept before update or delete on hit for each row execute function refuse_change();
create trigger hit_not_truncated before truncate on hit for each statement execute function refuse_change();

-- Every position up to the high-water mark is committed, or was never used. A reader that waits for the lock makes new
-- writers wait behind it: behind a writer that has stalled in its transaction the wait ends early, and is repeated later.
create function hit_high_water_mark() returns bigint language plpgsql set lock_timeout = '500ms' as $$
declare
    high_water bigint;
begin
    perform pg_advisory_xact_lock(1181708916, 2);
    select case when is_called then last_value else 0 end into high_water from hit_position;
    return high_water;
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

-- How long pages were looked at, and how far they were scrolled (docs/track/engagement.md) ------------------------------
--
-- A measure is no hit: it names its pageview, which has the same digest of the name, and counts for it whichever of both was
-- stored first. Hits and measures share their positions, so that one high-water mark and one checkpoint tell of both.

create table engagement (
    position bigint not null default nextval('hit_position') primary key,
    site_id bigint not null,
    pageview_key bigint not null,
    received_at timestamptz not null,
    engaged_ms integer,
    scroll_percent smallint,
    check (engaged_ms >= 0),
    check (scroll_percent between 0 and 100),
    check (engaged_ms is not null or scroll_percent is not null)
);

create index engagement_of_pageview on engagement (site_id, pageview_key);

create trigger engagement_order before insert on engagement for each statement execute function lock_traffic();
create trigger engagement_kept before update or delete on engagement for each row execute function refuse_change();
create trigger engagement_not_truncated before truncate on engagement for each statement execute function refuse_change();

-- The measures up to this position have a pageview: those that had none after their time were removed.
create table engagement_settled (
    name text primary key,
    position bigint not null
) with (fillfactor = 50);

insert into engagement_settled (name, position) values ('pageviews', 0);

-- Salts of visitor hashes ---------------------------------------------------------------------------------------------

create table visitor_salt (
    day date primary key,
    salt bytea not null
);

-- Of weeks, months and years in which visitors are recognized.
create table visitor_span_salt (
    span text primary key,
    ends_at timestamptz not null,
    salt bytea not null
);

-- Ledgers --------------------------------------------------------------------------------------------------------------
--
-- State that decides about a hit in the transaction that stores it, and the outcomes of events.

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

-- Outcomes are erased by age (docs/track/ingestion.md#counts-of-outcomes).
create index on ingestion_outcome (quarter);

-- Stored hits are counted where they are stored, so that no writer can forget. Imported ones were not received from visitors:
-- they are in the ledger of their import and in no outcome.
create function count_stored() returns trigger language plpgsql as $$
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

create trigger hit_counted after insert on hit
    referencing new table as stored
    for each statement execute function count_stored();

-- The pageviews of a month that were stored before the site had a limit. Imported ones are not charged to it.
create function stored_pageviews(site bigint, month date) returns bigint language sql stable as $$
    select count(*)
    from hit
    where site_id = site
      and type = 'pageview'
      and import_id is null
      and occurred_at >= month::timestamp at time zone 'UTC' - interval '31 days'
      and received_at >= month::timestamp at time zone 'UTC'
      and received_at < (month + interval '1 month') at time zone 'UTC'
$$;

-- The requests of bots that are refused, by day in the time zone of the site. Unknown verifications and the pages that are
-- counted together are empty texts; tracked events are of import 0.
create table refused_bot (
    site_id bigint not null,
    day date not null,
    bot text not null,
    verified text not null,
    page text not null,
    import_id bigint not null,
    requests bigint not null,
    primary key (site_id, day, bot, verified, page, import_id)
) with (fillfactor = 70);
create index on refused_bot (day) where import_id = 0;

-- How far each export has been imported into each site: moved in the transaction that stores the hits.
create table hit_import (
    site_id bigint not null,
    source text not null,
    position bigint not null,
    primary key (site_id, source)
);

-- One row a source that a site imports, kept when it is imported again and removed when the import is taken back.
create table site_import (
    import_id bigint generated always as identity primary key,
    site_id bigint not null,
    format text not null,
    -- Tells this source from others of its format; visitors of different sources are different visitors.
    source_key text not null,
    -- The source as people know it, without secrets.
    source text not null,
    -- An import whose last run was refused, or interrupted by its user, is stopped.
    state text not null check (state in ('running', 'stopped', 'complete', 'undoing')),
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

-- When each API key was last used, to the hour.
create table key_use (
    key_id bigint primary key,
    used_at timestamptz not null
) with (fillfactor = 50);

-- The day on which each link of a site was last used, by the beginning of the digest of its key.
create table link_use (
    site_id bigint not null,
    link text not null,
    used_on date not null,
    primary key (site_id, link)
);

-- The erasure of deleted sites. It covers every table that has a column site_id; the column here has another name, so
-- that the list of erasures stays.

create table erasure (
    deleted_site bigint primary key,
    deleted_at timestamptz not null,
    round integer not null default 0,
    -- When the next round is due; null when the last one has found nothing.
    due_at timestamptz
);

create index erasure_due on erasure (due_at) where due_at is not null;

-- In the transaction that deletes the site, so that no crash comes between the two.
create function begin_erasure() returns trigger language plpgsql as $$
begin
    insert into erasure (deleted_site, deleted_at, due_at)
    values (split_part(new.stream, '-', 2)::bigint, new.recorded_at, new.recorded_at)
    on conflict (deleted_site) do nothing;
    return null;
end
$$;

create trigger event_begins_erasure after insert on event
    for each row when (new.type = 'site-deleted') execute function begin_erasure();

-- From when on the hits of a site are kept: earlier ones have been erased, or are about to be.
create table retained (
    site_id bigint primary key,
    since timestamptz not null
);

-- Where retention has cut through a run of hits of a visitor: no run crosses the cutoff, the beginning of a day in UTC, and the
-- length of the rest counts from the first time of the part that was removed. No log knows them: they are part of a site's data.
create table session_mark (
    site_id bigint not null,
    visitor_id bigint not null,
    cutoff timestamptz not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (site_id, visitor_id, cutoff)
);

-- Positions that questions about the past may name (docs/read/programs/citations.md), and erasures, after which they cannot be answered.

-- The positions that the reports had reached by the end of each minute in which they moved.
create table position_minute (
    minute timestamptz primary key,
    traffic bigint not null,
    journal bigint not null
) with (fillfactor = 50);

-- Hits of a site that were erased, from which position on they were, and of which time; not finished while the erasure
-- goes on, so that answers of these moments cannot be given again.
create table hit_erasure (
    site_id bigint not null,
    reason text not null,
    first_position bigint not null,
    since timestamptz not null,
    until timestamptz not null,
    finished_at timestamptz,
    primary key (site_id, reason)
);

-- Erasures of the data of single visitors (docs/read/visitor-data.md#erasing) -------------------------------------------

-- Who is erased is there until it is done; then only what is shown of the erasure is left.
create table visitor_erasure (
    erasure uuid primary key,
    site_id bigint not null,
    step text not null default 'finding' check (
        step in ('finding', 'erasing', 'sweeping', 'proving', 'telling', 'finished')
    ),
    requested_at timestamptz not null,
    user_id text,
    key_prefix text,
    request_id text,
    -- User ids as they are stored, and numbers of browsers.
    users text[],
    visitors bigint[],
    -- Spans of time whose salts are gone, in words.
    not_found text[] not null,
    visits bigint not null default 0,
    hits bigint not null default 0,
    errors bigint not null default 0,
    measures bigint not null default 0,
    mails bigint not null default 0,
    -- How far the log was looked through, and when the last hit had gone.
    found_up_to bigint,
    erased_at timestamptz,
    -- The sums of the hits that stay up to a position, before hits were erased and after that.
    measured_up_to bigint,
    before jsonb,
    after jsonb,
    -- What a replay of the log found.
    differences jsonb,
    certificate jsonb,
    finished_at timestamptz,
    -- Who was erased, by digests that a key outside of the database makes: what lists erasures outside of it, on every host
    -- (docs/operate/backup.md#erasures).
    selectors text[] not null default '{}',
    check ((step = 'finished') = (users is null and visitors is null)),
    check ((step = 'finished') = (certificate is not null and finished_at is not null))
);
create index visitor_erasure_of_site on visitor_erasure (site_id, requested_at);
create index visitor_erasure_waiting on visitor_erasure (requested_at) where step <> 'finished';

-- The hits that are still to be erased.
create table visitor_erasure_hit (
    erasure uuid not null,
    site_id bigint not null,
    occurred_at timestamptz not null,
    position bigint not null,
    visitor_id bigint not null,
    primary key (erasure, occurred_at, position)
);

-- Nodes that have removed the files with what was erased.
create table visitor_sweep (
    erasure uuid not null,
    site_id bigint not null,
    node uuid not null,
    primary key (erasure, node)
);

-- Copies of the files of a site that commands have made, by the host and the directory.
create table column_export (
    site_id bigint not null,
    host text not null,
    directory text not null,
    exported_at timestamptz not null,
    primary key (site_id, host, directory)
);

-- Read models ----------------------------------------------------------------------------------------------------------
--
-- The tables that reports read: all are derived from the two logs, and can be rebuilt from them.
--
-- Only the holder of the checkpoint's row changes these tables. Indexes have the names that PostgreSQL gives them, so
-- that copies of the tables made for a rebuild are the same in every respect.

create table projection_checkpoint (
    name text primary key,
    position bigint not null,
    journal_position bigint not null,
    moved_at timestamptz not null default '-infinity',
    -- A projector of another version leaves the log to those that know these tables; PROJECTION_VERSION in
    -- projections/read_models.py is the same number. A migration that changes a read model counts both up.
    projection_version integer not null default 14,
    -- By which definition of sessions the read models were made, as Footfall-Positions names it.
    sessions integer not null default 2,
    -- The set of read models; null until the first rebuild.
    set_id uuid
) with (fillfactor = 50);

insert into projection_checkpoint (name, position, journal_position) values ('reports', 0, 0);

-- One row a session. None of the indexed columns of a common session ever changes: its row is updated in place.
create table session (
    site_id bigint not null,
    session_id bigint not null,
    visitor_id bigint not null,
    started_at timestamptz not null,
    ended_at timestamptz not null,
    pageviews integer not null,
    custom_events integer not null,
    performance_measures integer not null,
    outbound_clicks integer not null,
    errors integer not null,
    -- The times of the values below: a late hit replaces a value when it happened earlier or later.
    entry_at timestamptz,
    exit_at timestamptz,
    user_at timestamptz,
    entry_page text,
    exit_page text,
    user_id text,
    hostname text,
    referrer text,
    channel text,
    utm_source text,
    utm_medium text,
    utm_campaign text,
    utm_term text,
    utm_content text,
    language text,
    browser text,
    browser_version text,
    operating_system text,
    operating_system_version text,
    device_type text not null,
    country text,
    region text,
    city text,
    color_scheme text,
    automation text,
    location_source text,
    network text,
    autonomous_system text,
    bot text,
    bot_verified text,
    -- That of the latest user.
    signed_visitor_id bigint,
    primary key (site_id, session_id)
) with (
    fillfactor = 80,
    -- Index-only scans need the visibility that a vacuum writes down: one runs after every fiftieth part of the sessions.
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.05
);

-- Both serve index-only scans, and hold no column that changes with each hit. A hit belongs to its visitor's latest session that
-- starts at or before its time.
create index on session (site_id, started_at) include (visitor_id);
create index on session (site_id, visitor_id, started_at, session_id);
-- The sessions of a signed user, on any browser, are found by it; those of a browser have an index already.
create index on session (site_id, signed_visitor_id, started_at) where signed_visitor_id is not null;

-- Per quarter of an hour: hits by type; sessions that started in it, with how many of them bounced and how long they
-- last; and those that had started before it and had not ended before it, so that sessions of a period are one sum.
create table traffic_bucket (
    site_id bigint not null,
    bucket timestamptz not null,
    pageviews bigint not null,
    custom_events bigint not null,
    performance_measures bigint not null,
    outbound_clicks bigint not null,
    errors bigint not null,
    -- Error messages first seen in it, so that those of a period are one sum, too.
    new_messages bigint not null default 0,
    sessions bigint not null,
    -- Sessions with a pageview, among which bounces are counted.
    viewed bigint not null,
    bounces bigint not null,
    seconds bigint not null,
    open_at_start bigint not null,
    open_at_start_viewed bigint not null,
    open_at_start_bounces bigint not null,
    open_at_start_seconds bigint not null,
    primary key (site_id, bucket)
) with (fillfactor = 50);

-- The rule of a goal since a position of the journal. `number` is the position of the event that first gave it this rule:
-- a goal that only gets another name keeps its counts.
create table goal_version (
    goal_id bigint primary key,
    site_id bigint not null,
    version bigint not null,
    number bigint not null unique,
    path_equals text,
    path_prefix text,
    path_regex text,
    event_name text,
    property_key text,
    property_value text,
    property_decimal text,
    -- Older hits, those from this time on, have yet to be counted; null when all have been.
    fill_from timestamptz,
    -- Why the goal is not matched: its pattern takes too long. Null for all others.
    set_aside text
);

create index on goal_version (site_id);
-- Goals whose past is being counted: the projector asks for them all the time, of all goals there are few.
create index on goal_version (site_id) where fill_from is not null;

-- Numbers whose conversions are to be removed.
create table retired_goal_version (
    number bigint primary key,
    site_id bigint not null
);

-- Per goal version and session: first and last matching time, and when the session ended.
create table conversion (
    site_id bigint not null,
    session_id bigint not null,
    number bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    ended_at timestamptz not null,
    primary key (site_id, session_id, number)
) with (fillfactor = 80);

create index on conversion (site_id, number, ended_at, session_id);

-- Per goal version and quarter of an hour: sessions whose first conversion falls into it, and those whose first falls
-- before it and whose last does not.
create table conversion_bucket (
    site_id bigint not null,
    number bigint not null,
    bucket timestamptz not null,
    conversions bigint not null,
    open_at_start bigint not null,
    primary key (site_id, number, bucket)
) with (fillfactor = 50);

-- How far back a day has to be read for questions about the past, and which quarters of an hour have to be counted
-- (docs/read/programs/citations.md).

-- The highest position of a hit of each day in UTC, or a later one: as of that position and later ones, the day has the hits
-- that it has now, but for those that were erased.
create table day_position (
    site_id bigint not null,
    day timestamptz not null,
    position bigint not null,
    primary key (site_id, day)
) with (fillfactor = 50);

-- The lowest and the highest position of a hit of each quarter of an hour; or a lower and a higher one. As of the highest
-- one and later, the quarter has the hits that it has now, but for those that were erased; before the lowest it had none.
create table quarter_position (
    site_id bigint not null,
    quarter timestamptz not null,
    first_position bigint not null,
    last_position bigint not null,
    primary key (site_id, quarter)
) with (fillfactor = 50);

-- Sessions and spans of time --------------------------------------------------------------------------------------------

create function bucket_of(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
    select date_bin('15 minutes', at, '2000-01-01 00:00:00+00')
$$;

-- The beginnings of buckets that a span reaches over: after its start and not after its end.
create function buckets_open_at_start(started_at timestamptz, ended_at timestamptz) returns setof timestamptz
language sql stable parallel safe rows 2 as $$
    select generate_series(bucket_of(started_at) + interval '15 minutes', bucket_of(ended_at), interval '15 minutes')
$$;

-- A session bounces when it has one pageview, no custom event and no outbound click.
create function bounce_of(pageviews bigint, custom_events bigint, outbound_clicks bigint) returns integer
language sql immutable parallel safe as $$
    select case when pageviews = 1 and custom_events + outbound_clicks = 0 then 1 else 0 end
$$;

-- 1 for a session with a pageview.
create function view_of(pageviews bigint) returns integer language sql immutable parallel safe as $$
    select case when pageviews > 0 then 1 else 0 end
$$;

-- Goals -------------------------------------------------------------------------------------------------------------

-- A number, or a text that is a JSON number, as a plain decimal without needless zeros; null for other values. Texts as long
-- and exponents as large as `decimal_text` in the domain's matching takes, which numeric holds.
create function decimal_of(value jsonb) returns text language sql immutable parallel safe as $$
    select case jsonb_typeof(value)
        when 'number' then trim_scale(value::numeric)::text
        when 'string' then case
            when length(value #>> '{}') <= 8192
                and value #>> '{}' ~ '^-?(0|[1-9][0-9]*)(\.[0-9]+)?([eE][-+]?0*[0-9]{1,3})?$'
            then trim_scale((value #>> '{}')::numeric)::text
        end
    end
$$;

-- Whether a property equals the value of a rule: with texts and booleans its text is compared, with numbers its decimal. A rule
-- whose value is a number has no text.
create function property_equals(value jsonb, expected text, expected_decimal text) returns boolean
language sql immutable parallel safe as $$
    select case
        when jsonb_typeof(value) = 'boolean' or jsonb_typeof(value) = 'string' and expected is not null
        then value #>> '{}' = expected
        else decimal_of(value) = expected_decimal
    end
$$;

-- Whether a path satisfies a rule: one of the first three is not null.
create function path_matches(equals text, prefix text, regex text, path text) returns boolean
language sql immutable parallel safe as $$
    select case
        when equals is not null then path = equals
        when prefix is not null then starts_with(path, prefix)
        else path ~ regex
    end
$$;

-- Parameters of query strings (docs/read/dimensions.md#query-parameters) ------------------------------------------------
--
-- As domain/tracking/acquisition/query_parameters.py defines them. A function that catches errors cannot run in a parallel
-- query, nor can its callers.

-- A part of a query string without its escapes, or as it is written where they stand for no text that can be stored.
create function decoded_query(written text) returns text language plpgsql immutable strict parallel unsafe as $$
declare
    bytes bytea;
begin
    if strpos(written, '%') = 0 and strpos(written, '+') = 0 then
        return written;
    end if;
    select string_agg(
        case when part[1] is null then convert_to(part[2], 'UTF8') else decode(part[1], 'hex') end, '' order by place
    )
    into bytes
    from regexp_matches(replace(written, '+', ' '), '%([0-9a-fA-F]{2})|([^%]+|%)', 'g')
        with ordinality as parts (part, place);
    return convert_from(bytes, 'UTF8');
exception
    when character_not_in_repertoire then
        return written;
end
$$;

-- The first value of a parameter; null where the query string has none of that name.
create function query_parameter(querystring text, parameter text) returns text
language plpgsql immutable strict parallel unsafe as $$
declare
    pair text;
    written text;
begin
    if strpos(querystring, parameter) = 0 and strpos(querystring, '%') = 0 and strpos(querystring, '+') = 0 then
        return null;
    end if;
    foreach pair in array string_to_array(regexp_replace(querystring, '^[?]', ''), '&') loop
        written := split_part(pair, '=', 1);
        if written <> '' and decoded_query(written) = parameter then
            return decoded_query(substr(pair, strpos(pair || '=', '=') + 1));
        end if;
    end loop;
    return null;
end
$$;

-- Errors ---------------------------------------------------------------------------------------------------------------
--
-- The tables that reports on errors read.
--
-- A message can be longer than an index takes: it is found by its digest, known by the position of its first hit in the
-- log, and put in order by its beginning.

create function day_of(at timestamptz) returns timestamptz language sql immutable parallel safe as $$
    select date_bin('24 hours', at, '2000-01-01 00:00:00+00')
$$;

create function message_of(properties jsonb) returns text language sql immutable parallel safe as $$
    select coalesce(case when jsonb_typeof(properties -> 'message') = 'string' then properties ->> 'message' end, '')
$$;

create table error_message (
    site_id bigint not null,
    message_id bigint not null,
    digest bytea not null,
    message text not null,
    -- The class of the latest occurrence.
    error_name text not null,
    occurrences bigint not null,
    sessions bigint not null,
    first_seen timestamptz not null,
    last_seen timestamptz not null,
    primary key (site_id, message_id),
    unique (site_id, digest)
) with (fillfactor = 70);

-- The most frequent of those first seen on a day, without a look at the others.
create index on error_message (site_id, day_of(first_seen), occurrences desc, "left"(message, 500) collate "C");
create index on error_message (site_id, first_seen desc, "left"(message, 500) collate "C");
-- Those that can reach over the edge of a period: not the many that happened once.
create index on error_message (site_id, last_seen) where first_seen < last_seen;

-- Per message and quarter of an hour: occurrences, and sessions in which the message occurred there first.
create table error_bucket (
    site_id bigint not null,
    message_id bigint not null,
    bucket timestamptz not null,
    occurrences bigint not null,
    sessions bigint not null,
    primary key (site_id, message_id, bucket)
) with (fillfactor = 70);

-- Per message and session: first and last time.
create table error_session (
    site_id bigint not null,
    message_id bigint not null,
    session_id bigint not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    primary key (site_id, message_id, session_id)
) with (fillfactor = 80);

create index on error_session (site_id, message_id, last_at);

-- Where each occurrence is in the log.
create table error_occurrence (
    site_id bigint not null,
    message_id bigint not null,
    occurred_at timestamptz not null,
    position bigint not null,
    session_id bigint not null,
    primary key (site_id, message_id, occurred_at, position)
);

create index on error_occurrence (site_id, occurred_at);

-- Errors by their cause (docs/errors/error-groups.md).

-- Where each occurrence of a fingerprint is in the log, with its release and the number of its stack. Groups are merged when
-- they are read: merging changes no row.
create table error_sighting (
    site_id bigint not null,
    fingerprint text not null,
    occurred_at timestamptz not null,
    position bigint not null,
    session_id bigint not null,
    stack bigint not null,
    release text,
    primary key (site_id, fingerprint, occurred_at, position)
);

create index on error_sighting (site_id, occurred_at) include (fingerprint, session_id);
-- The releases in which an error occurred, and when it did so in each.
create index on error_sighting (site_id, fingerprint, release, occurred_at, position);

-- Counts of messages over one day and over longer spans: with these a report over a month adds up a third of the rows, and
-- one over a year a twentieth.

create function span_of(days integer, at timestamptz) returns timestamptz language sql immutable parallel safe as $$
    select date_bin(days * interval '24 hours', at, '2000-01-01 00:00:00+00')
$$;

-- Per message and 1, 4, 16 or 64 days in UTC, each span a whole number of the next shorter ones; only of messages that
-- occurred on more than one day: a flood of others costs no list anything.
create table error_span (
    site_id bigint not null,
    days integer not null,
    since timestamptz not null,
    message_id bigint not null,
    occurrences bigint not null,
    sessions bigint not null,
    primary key (site_id, days, since, message_id)
) with (fillfactor = 70);

-- Quarters of an hour are 2,880 rows a month for each goal, and a list that is sorted by a metric asks for all goals: whole
-- days are added up here.

-- Per goal version and day in UTC: sessions whose first conversion falls into it, and those whose first falls before it and
-- whose last does not.
create table conversion_day (
    site_id bigint not null,
    number bigint not null,
    day timestamptz not null,
    conversions bigint not null,
    open_at_start bigint not null,
    primary key (site_id, number, day)
) with (fillfactor = 50);

-- Days of the columns (docs/internals/columns.md) -----------------------------------------------------------------------
--
-- Each has a version while nodes may keep its sessions and hits in files.

-- 'small' days have so few hits that rows answer as fast as files would; those of a site with many hits together have files, too
-- (docs/internals/columns.md#small-days).
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
    -- Of a closed or small day: the hits that happened on it when it was closed.
    held_hits bigint not null default 0,
    primary key (site_id, day),
    check (state <> 'closed' or (version is not null and store is not null))
) with (fillfactor = 50);

-- Closed days that are to be closed again: those with many changes, and those that another store closed.
create index on column_day (day) where state = 'closed' and changes * 20 > sessions;
create index on column_day (store) where state = 'closed';
-- Days that were closed since some time, which the keeper of files looks for, and those that have been open for an hour.
create index on column_day (since) where state = 'closed';
create index on column_day (since) where state = 'open';
-- Open days are closed one after the other, from place to place in the order of days and sites
-- (docs/internals/columns.md#closing).
create index on column_day (day, site_id) where state = 'open';

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
    seen_at timestamptz not null,
    -- When a rebuild last asked the node for the files of its set, and which of its questions the node has answered.
    asked_at timestamptz,
    answered_at timestamptz
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

-- Users, sign-in and mail -----------------------------------------------------------------------------------------------

-- Persons: the names and addresses of users. The journal holds ids only, so that a person can be erased.

create table person (
    user_id text primary key,
    name text,
    address text,
    address_verified_at timestamptz
);

-- Addresses are ASCII, whose letter case is the same in every collation but Turkish ones.
create unique index person_verified_address on person (lower(address collate "C")) where address_verified_at is not null;

-- A link is sent to an address that is known and not verified yet, too.
create index person_address on person (lower(address collate "C"));

-- The browsers of sign-ins and their last use, by the handle of the sign-in; kept apart from the journal to be erasable.

create table sign_in_use (
    handle text primary key,
    user_id text not null,
    device text not null,
    last_used_at timestamptz not null
);

create index sign_in_use_of_user on sign_in_use (user_id);
create index sign_in_use_by_age on sign_in_use (last_used_at);

-- One-time tokens of links, by their digests, and counts of attempts to sign in, by keyed digests.

create table one_time_token (
    digest text primary key,
    purpose text not null,
    user_id text not null,
    address text,
    expires_at timestamptz not null
);

create index one_time_token_of_user on one_time_token (user_id);
create index one_time_token_by_age on one_time_token (expires_at);

create table sign_in_attempt (
    subject bytea not null,
    begins_at timestamptz not null,
    attempts integer not null,
    primary key (subject, begins_at)
);

create index sign_in_attempt_by_age on sign_in_attempt (begins_at);

-- Passkeys: the public keys with which browsers sign in. The journal holds their ids and names only.

create table passkey (
    passkey_id text primary key,
    user_id text not null,
    name text not null,
    rp_id text not null,
    credential_id bytea not null unique,
    public_key bytea not null,
    sign_count bigint not null,
    created_at timestamptz not null,
    last_used_at timestamptz
);

create index passkey_of_user on passkey (user_id);

-- The addresses of open invitations, which are erased when an invitation is accepted, revoked or expired.

create table invitation_address (
    organization_id text not null,
    invitation_id bigint not null,
    address text not null,
    expires_at timestamptz not null,
    primary key (organization_id, invitation_id)
);

create index invitation_address_by_age on invitation_address (expires_at);

-- Identities of OpenID Connect with which users sign in. The journal holds their ids only.

create table linked_identity (
    identity_id text primary key,
    user_id text not null,
    issuer text not null,
    subject text not null,
    linked_at timestamptz not null,
    last_used_at timestamptz,
    unique (issuer, subject)
);

create index linked_identity_of_user on linked_identity (user_id);

-- Keyed digests of identities and addresses of persons who had an account: they join no organization as newcomers.
create table former_proof (
    digest bytea primary key
);

-- Addresses outside of organizations that get reports on a site by mail. Who added them, since when their readers want the
-- reports, and the digests of their links stand in the journal. Each address takes the mails to it along when it is erased.

create table report_recipient (
    site_id bigint not null,
    number integer not null,
    address text not null,
    -- When the latest mail to it was given up, as long as the address is there: rows of mails go after a week.
    failed_at timestamptz,
    primary key (site_id, number)
);

-- The queue of outgoing mail. Address and content of a mail are erased when it was sent.

create table mail (
    mail_id text primary key,
    kind text not null,
    user_id text,
    recipient text,
    subject text,
    body_text text,
    body_html text,
    unsubscribe_url text,
    useless_after timestamptz,
    queued_at timestamptz not null,
    attempts integer not null default 0,
    due_at timestamptz,
    finished_at timestamptz,
    outcome text check (outcome in ('sent', 'given-up', 'void')),
    reason text,
    site_id bigint,
    recipient_number integer,
    check ((due_at is null) = (finished_at is not null)),
    check (due_at is null or num_nulls(recipient, subject, body_text, body_html) = 0),
    -- With names: a store that is divided among nodes takes no others for constraints that are added.
    constraint mail_outside_check check (num_nulls(site_id, recipient_number) in (0, 2)),
    constraint mail_outside_fkey foreign key (site_id, recipient_number)
        references report_recipient (site_id, number) on delete cascade
);

create index mail_due on mail (due_at) where due_at is not null;
create index mail_finished on mail (finished_at) where finished_at is not null;
create index mail_given_up on mail (user_id) where outcome = 'given-up';
create index mail_to_recipient on mail (site_id, recipient_number) where site_id is not null;

-- Addresses that want no mails of a kind, as digests that are keyed with the server's secret.
create table mail_unsubscription (
    address_digest bytea not null,
    kind text not null,
    unsubscribed_at timestamptz not null,
    primary key (address_digest, kind)
);

-- Alerts and source maps ------------------------------------------------------------------------------------------------

-- Alert rules: where each stands, the addresses of targets, and the queue of requests to them. Rules, targets and firings
-- themselves stand in the journal.

create table alert_watch (
    site_id bigint not null,
    rule integer not null,
    revision integer not null,
    evaluated_until timestamptz not null,
    due_at timestamptz not null,
    firing boolean not null,
    calm integer not null,
    obstacle text,
    primary key (site_id, rule)
) with (fillfactor = 50);

create index alert_watch_due on alert_watch (due_at);

-- Outside of the journal, since both are secrets.
create table alert_target (
    site_id bigint not null,
    target integer not null,
    url text not null,
    secret text,
    primary key (site_id, target)
);

create table alert_request (
    key text primary key,
    site_id bigint not null,
    target integer not null,
    content_type text not null,
    body text,
    signed boolean not null,
    queued_at timestamptz not null,
    attempts integer not null default 0,
    due_at timestamptz,
    finished_at timestamptz,
    outcome text check (outcome in ('delivered', 'given-up')),
    reason text,
    -- The end of an incident is requested after its beginning has arrived: the key of the request that one comes after.
    after_key text,
    check ((due_at is null) = (finished_at is not null)),
    check (due_at is null or body is not null)
);

create index alert_request_due on alert_request (due_at) where due_at is not null;
create index alert_request_finished on alert_request (finished_at) where finished_at is not null;
create index alert_request_of_site on alert_request (site_id, target, queued_at);

-- Minified files of sites with their source maps, compressed, by release (docs/errors/source-maps.md).

create table source_map (
    site_id bigint not null,
    release text not null,
    file text not null,
    digest text not null,
    -- Bytes of the file and its map as texts, and as they are stored.
    size bigint not null,
    stored bigint not null,
    code bytea not null,
    map bytea not null,
    uploaded_at timestamptz not null,
    primary key (site_id, release, file)
);

-- They are compressed already.
alter table source_map alter column code set storage external, alter column map set storage external;

create index source_map_by_age on source_map (uploaded_at);

-- Cells (docs/internals/servers/cells.md) -------------------------------------------------------------------------------

-- The cell whose traffic this schema holds, and the random mark that the journal knows of it. Empty in the store of the
-- journal.
create table cell_mark (
    cell text primary key,
    mark text not null,
    -- Up to which position of the journal the events of the cell's sites are in the table event.
    journal_position bigint not null default 0
) with (fillfactor = 50);

-- Moves of cells (docs/internals/servers/cells.md#moving-a-cell). While a store is copied to another place, the copying
-- transaction holds lock 12, and everything that would change the logs or what decides about hits is refused at once. A
-- writer holds it shared until its commit: the copy begins when all writers are done.

create function refuse_while_moving() returns trigger language plpgsql as $$
begin
    if not pg_try_advisory_xact_lock_shared(1181708916, 12) then
        raise exception 'the store is being moved' using errcode = 'cannot_connect_now';
    end if;
    return null;
end
$$;

create trigger idempotency_not_while_moving before insert or update or delete on idempotency
    for each statement execute function refuse_while_moving();
create trigger pageview_quota_not_while_moving before insert or update or delete on pageview_quota
    for each statement execute function refuse_while_moving();
create trigger cell_mark_not_while_moving before insert or update or delete on cell_mark
    for each statement execute function refuse_while_moving();

-- A cell is copied to another place while it is written to (docs/internals/servers/cells.md#moving-a-cell). Hits that come meanwhile are found by
-- their positions. Rows without a position are found here: a writer notes the key of each row that it changes while the copying
-- command holds lock 15. A writer that does not note holds it shared until its commit: the copy begins when these are done.

create table changed_row (
    table_name text not null,
    key jsonb not null
);

-- The arguments are the columns of the primary key.
create function note_changed_row() returns trigger language plpgsql as $$
declare
    changed jsonb := case tg_op when 'DELETE' then to_jsonb(old) else to_jsonb(new) end;
begin
    insert into changed_row (table_name, key)
    select tg_table_name, jsonb_object_agg(name, changed -> name) from unnest(tg_argv) as name;
    return null;
end
$$;

create trigger event_noted after insert or update or delete on event
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('position');
create trigger idempotency_noted after insert or update or delete on idempotency
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'key');
create trigger pageview_quota_noted after insert or update or delete on pageview_quota
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'month');
create trigger ingestion_outcome_noted after insert or update or delete on ingestion_outcome
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'quarter', 'outcome', 'reason', 'slot');
create trigger hit_import_noted after insert or update or delete on hit_import
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'source');
create trigger site_import_noted after insert or update or delete on site_import
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('import_id');
create trigger import_ledger_noted after insert or update or delete on import_ledger
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('import_id', 'day', 'type', 'reason');
create trigger erasure_noted after insert or update or delete on erasure
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('deleted_site');
create trigger position_minute_noted after insert or update or delete on position_minute
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('minute');
create trigger engagement_noted after insert or update or delete on engagement
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('position');
create trigger engagement_settled_noted after insert or update or delete on engagement_settled
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('name');
create trigger refused_bot_noted after insert or update or delete on refused_bot
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'day', 'bot', 'verified', 'page', 'import_id');
create trigger visitor_erasure_noted after insert or update or delete on visitor_erasure
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('erasure');
create trigger visitor_erasure_hit_noted after insert or update or delete on visitor_erasure_hit
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('erasure', 'occurred_at', 'position');
create trigger visitor_sweep_noted after insert or update or delete on visitor_sweep
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('erasure', 'node');
create trigger column_export_noted after insert or update or delete on column_export
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'host', 'directory');
