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

-- What retention erased before.
insert into hit_erasure (site_id, reason, first_position, since, until, finished_at)
select site_id, 'retention', 0, '-infinity', since, now() from retained;
