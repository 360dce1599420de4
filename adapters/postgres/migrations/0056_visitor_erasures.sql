-- Erasures of the data of single visitors (docs/read/visitor-data.md#erasing).

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
