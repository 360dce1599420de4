-- Groups of errors: the release of hits, and a read model of occurrences by their cause (docs/errors/error-groups.md).

alter table hit add column release text;

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

-- Occurrences that were projected before there were fingerprints, which only the projector can make: it goes through them
-- beside its slices, in the order of the key of error_occurrence, and removes the row at the end. The columns have other names
-- than site_id, so that the erasure of a site leaves the row.
create table error_history (
    after_site bigint not null,
    after_message bigint not null,
    after_time timestamptz not null,
    after_position bigint not null,
    up_to bigint not null
);

insert into error_history (after_site, after_message, after_time, after_position, up_to)
select 0, 0, '-infinity', 0, position from projection_checkpoint where name = 'reports' and position > 0;

-- A projector that does not know these tables would leave out occurrences.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 3;
