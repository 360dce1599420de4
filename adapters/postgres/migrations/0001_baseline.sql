-- The schema of a store: the two logs with their guards, ledgers, read models, and their functions.
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

-- Salts of visitor hashes ---------------------------------------------------------------------------------------------

create table visitor_salt (
    day date primary key,
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

-- How far each export has been imported into each site: moved in the transaction that stores the hits.
create table hit_import (
    site_id bigint not null,
    source text not null,
    position bigint not null,
    primary key (site_id, source)
);

-- When each API key was last used, to the hour.
create table key_use (
    key_id bigint primary key,
    used_at timestamptz not null
) with (fillfactor = 50);

-- The history of a site needs the goals that it ever had, deleted ones included, and so does the erasure of a site.
create index event_goals_of_site on event (((data ->> 'site_id')::bigint)) where type = 'goal-defined';

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
    projection_version integer not null default 1
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
    primary key (site_id, session_id)
) with (
    fillfactor = 80,
    -- Index-only scans need the visibility that a vacuum writes down: one runs after every fiftieth part of the sessions.
    autovacuum_vacuum_insert_scale_factor = 0.02,
    autovacuum_vacuum_scale_factor = 0.05
);

-- Both serve index-only scans, and hold no column that changes with each hit.
create index on session (site_id, visitor_id, session_id, started_at);
create index on session (site_id, started_at) include (visitor_id);

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

-- Sessions: folded hit by hit, in the order of the log (an aggregate that is used as a window function) -------------

create type session_span as (
    session_id bigint,
    started_at timestamptz,
    ended_at timestamptz
);

create function fold_session(
    span session_span, latest_id bigint, latest_start timestamptz, latest_end timestamptz, place bigint, at timestamptz
) returns session_span language plpgsql immutable parallel safe as $$
begin
    if span.session_id is null then
        span := (latest_id, latest_start, latest_end);
    end if;
    if at >= span.started_at and at <= span.ended_at then
        return span;
    end if;
    if at >= span.started_at - interval '30 minutes'
        and at <= span.ended_at + interval '30 minutes'
        and greatest(span.ended_at, at) - least(span.started_at, at) <= interval '24 hours'
    then
        return (span.session_id, least(span.started_at, at), greatest(span.ended_at, at));
    end if;
    return (place, at, at);
end
$$;

create aggregate session_so_far(bigint, timestamptz, timestamptz, bigint, timestamptz) (
    sfunc = fold_session, stype = session_span
);

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

-- The journal itself answers when a message was last marked as resolved.
create index event_resolved_errors on event (stream, md5(data ->> 'message')) where type = 'error-resolved';

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

-- Days in UTC that are counted after they have ended, so that breakdowns, vitals and visitors are sums over days.
--
-- Each slice of the log marks the days that it changes, past ones included: reports use the counts of a day only while it
-- has not changed since. All others are answered from their sessions and hits.

create type breakdown_dimension as enum (
    'channel', 'referrer', 'utm_source', 'utm_medium', 'utm_campaign', 'utm_term', 'utm_content', 'entry_page',
    'exit_page', 'country', 'region', 'city', 'browser', 'operating_system', 'device_type', 'language', 'hostname',
    'pathname', 'page_title', 'event_name', 'outbound',
    -- The pages of performance measures.
    'measured'
);

-- 'small' days have so few hits that to count them would save nothing.
create type day_state as enum ('changed', 'counting', 'counted', 'small');

create table day_summary_state (
    site_id bigint not null,
    day timestamptz not null,
    state day_state not null,
    changed_at timestamptz not null,
    primary key (site_id, day)
) with (fillfactor = 70);

create index on day_summary_state (day) where state in ('changed', 'counting');

-- Per dimension and value: sessions that started on the day, and those that had started before it and had not ended
-- before it; or hits. A value can be longer than an index takes: there is none on it, and no query looks for one.
create table breakdown_day (
    site_id bigint not null,
    day timestamptz not null,
    dimension breakdown_dimension not null,
    value text not null,
    count bigint not null,
    open_at_start bigint not null
);

create index on breakdown_day (site_id, dimension, day);

-- Per page, and with a null of all pages together: the classes of the measures that were taken, and how often. A class
-- says of which metric it is: it is the metric's place times 16384, and the class of the measure.
create table vitals_day (
    site_id bigint not null,
    day timestamptz not null,
    pathname text,
    classes integer[] not null,
    counts integer[] not null,
    -- The same counts as digits, see counts_as_digits(): all five or none, which says that the classes are so few that
    -- they are added up one by one.
    lcp numeric,
    cls numeric,
    inp numeric,
    fcp numeric,
    ttfb numeric
);

create index on vitals_day (site_id, (md5(pathname)::uuid), day);
create index on vitals_day (site_id, day);

-- The class of a measure as `measure_class` in domain/traffic/web_vitals.py defines it, from the measure in ten-thousandths: the place
-- of the largest of 1, 2, 5, 10, 20, 50, … that is at most a hundredth of it, times 256, and how many of these it is.
-- Single expressions, so that they are evaluated in place: called as functions they would take ten times as long.
create function ten_thousandths(measure double precision) returns bigint language sql immutable parallel safe as $$
    -- Not `least`, which ignores nulls and would make a missing measure the largest.
    select round(case when measure > 1e9 then 1e9 else measure end * 10000)::bigint
$$;

create function step_of(exact bigint) returns integer language sql immutable parallel safe as $$
    select width_bucket(exact, array[
        200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000, 2000000, 5000000, 10000000,
        20000000, 50000000, 100000000, 200000000, 500000000, 1000000000, 2000000000, 5000000000, 10000000000,
        20000000000, 50000000000, 100000000000, 200000000000, 500000000000, 1000000000000, 2000000000000,
        5000000000000, 10000000000000
    ]::bigint[])
$$;

create function class_in_step(exact bigint, step integer) returns integer language sql immutable parallel safe as $$
    select step * 256 + ((exact - 1) / (array[
        1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000, 100000, 200000, 500000, 1000000,
        2000000, 5000000, 10000000, 20000000, 50000000, 100000000, 200000000, 500000000, 1000000000, 2000000000,
        5000000000, 10000000000, 20000000000, 50000000000, 100000000000
    ]::bigint[])[step + 1] + 1)::integer
$$;

create function measure_class(measure double precision) returns integer language sql immutable parallel safe as $$
    select class_in_step(ten_thousandths(measure), step_of(ten_thousandths(measure)))
$$;

-- Counts of measures as digits of one number, so that a thousand counts are added up in one addition. Beside the classes of a page and day
-- that has many of them stands a number for each metric, whose digits 12 n to 12 n + 11, from the right, say how often the
-- class occurred whose ordinal is n: the sum of such numbers is that of all their counts. Twelve digits hold more than any
-- site is measured, and all ordinals fit into a number.

-- Of 256 numbers in a step the first has 0 to 200, and all others have only 100 to 250 for classes: without the holes in
-- between the numbers are half as long.
create function ordinal_of_class(class integer) returns integer language sql immutable parallel safe as $$
    select class - class / 256 * 105
$$;

create function class_of_ordinal(ordinal integer) returns integer language sql immutable parallel safe as $$
    select ordinal + (ordinal - 100) / 151 * 105
$$;

create function counts_as_digits(classes integer[], counts integer[], metric integer) returns numeric
language sql immutable parallel safe as $$
    select coalesce(
        string_agg(lpad(count::text, 12, '0') || repeat('0', 12 * (ordinal - below - 1)), '' order by ordinal desc), '0'
    )::numeric
    from (
        select ordinal, count, lag(ordinal, 1, -1) over (order by ordinal) as below
        from (
            select ordinal_of_class(class % 16384) as ordinal, count
            from unnest(classes, counts) as occurring (class, count)
            where class / 16384 = metric
        ) as of_metric
    ) as occurring
$$;

-- Visitors per counted day, so that the distinct visitors of a period are a sum over days, too.
--
-- A visitor of a period had a session open at its beginning, or has exactly one session that started in it and before whose
-- start they were last seen before the period, or never: that is the earliest one. So the visitors of a period are those
-- with one open at its beginning, and the sessions of its days that can be such a first one, less those before which the
-- visitor was seen too recently. Times are quarters of an hour. A visitor is last seen in the quarter of the latest end
-- of their sessions that had started before; a session that started no later than in that quarter is nowhere
-- a first one.
create table visitors_day (
    site_id bigint not null,
    day timestamptz not null,
    -- For each of the 96 quarters: visitors with a session that had started before it and had not ended before it.
    open_at_start integer[] not null,
    -- For each of the 96 quarters: sessions that started in it and before it the visitor was last seen, or never.
    starts integer[] not null,
    -- Visitors with a session that started on the day, not seen on it before that: their first ones.
    arrivals integer not null,
    -- Of sessions that started up to 99 quarters after the visitor was last seen: the quarter of the day times 128, and how
    -- many they were. Ascending, so that a place in the array is a count.
    recent integer[] not null,
    -- Of sessions before which the visitor was last seen before the day: how many quarters before it, times 96, and the
    -- quarter of the day in which they started. Ascending; visitors never seen before are not in it.
    earlier integer[] not null,
    primary key (site_id, day)
);

-- Read as a whole: unpacking takes longer than reading the space that packing saves.
alter table visitors_day alter column recent set storage external, alter column earlier set storage external;
