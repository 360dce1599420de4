-- Sessions are formed in the order of the times of hits, and no longer in that of the log (docs/read/reports.md#sessions).

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

-- A hit belongs to its visitor's latest session that starts at or before its time.
drop index session_site_id_visitor_id_session_id_started_at_idx;
create index on session (site_id, visitor_id, started_at, session_id);

drop aggregate session_so_far(bigint, timestamptz, timestamptz, bigint, timestamptz);
drop function fold_session(session_span, bigint, timestamptz, timestamptz, bigint, timestamptz);
drop type session_span;

-- By which definition of sessions the read models were made, as Footfall-Positions names it. Those of the former one answer
-- until a worker has made them again.
alter table projection_checkpoint add column sessions integer not null default 2;
update projection_checkpoint set sessions = 1 where position > 0;

-- A projector of the version before would fold hits in the order of the log.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 8;
