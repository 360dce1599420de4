-- What reports on errors are read from: derived from the traffic log, and changed only by the holder of the checkpoint.
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

-- The same per day in UTC, only of messages that occurred on more than one: a flood of others costs no list anything.
create table error_day (
    site_id bigint not null,
    day timestamptz not null,
    message_id bigint not null,
    occurrences bigint not null,
    sessions bigint not null,
    primary key (site_id, day, message_id)
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

-- When a message was last called resolved is a question to the journal itself.
create index event_resolved_errors on event (stream, md5(data ->> 'message')) where type = 'error-resolved';
