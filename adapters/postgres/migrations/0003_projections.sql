-- What reports are read from: everything here is derived from the two logs, and can be made again from them.
--
-- Only the holder of the checkpoint's row changes these tables. Indexes have the names that PostgreSQL gives them, so
-- that copies of the tables made for a rebuild are the same in every respect.

create table projection_checkpoint (
    name text primary key,
    position bigint not null,
    journal_position bigint not null,
    moved_at timestamptz not null default '-infinity'
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
    -- The times of what may be overtaken by a hit that comes later and happened earlier or later.
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
) with (fillfactor = 80);

create index on session (site_id, visitor_id, session_id);
create index on session (site_id, started_at);

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
    sessions bigint not null,
    bounces bigint not null,
    seconds bigint not null,
    carried bigint not null,
    carried_seconds bigint not null,
    primary key (site_id, bucket)
) with (fillfactor = 50);

-- What a goal asked from a position of the journal on. `number` is the position of the event that first gave it this
-- rule: a goal that only gets another name keeps what has been counted.
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
    -- Older hits, those from this time on, have yet to be counted; null when all have been.
    fill_from timestamptz
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
    carried bigint not null,
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
create function buckets_carried(started_at timestamptz, ended_at timestamptz) returns setof timestamptz
language sql stable parallel safe rows 2 as $$
    select generate_series(bucket_of(started_at) + interval '15 minutes', bucket_of(ended_at), interval '15 minutes')
$$;

-- Goals -------------------------------------------------------------------------------------------------------------

-- The text by which a property is compared; null for what equals nothing.
create function canonical(value jsonb) returns text language sql immutable parallel safe as $$
    select case jsonb_typeof(value)
        when 'number' then trim_scale(value::numeric)::text
        when 'string' then value #>> '{}'
        when 'boolean' then value #>> '{}'
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
