-- Counts of errors by cause for days that are over: a list over a month adds up thirty rows for each cause, and looks for the
-- sessions of one or two days, not of all.

-- Per fingerprint and day in UTC. A day is counted as a whole or not at all; one without rows is read from error_sighting. No
-- session is longer than 24 hours: one that meets an error on several days does so on two days in a row.
create table error_day (
    site_id bigint not null,
    day timestamptz not null,
    fingerprint text not null,
    occurrences bigint not null,
    sessions bigint not null,
    -- Those of the sessions that met the error on the day before, too.
    continued bigint not null,
    primary key (site_id, day, fingerprint)
);

-- The days that are to be counted, or to be counted again, and since when.
create table error_day_due (
    site_id bigint not null,
    day timestamptz not null,
    since timestamptz not null,
    primary key (day, site_id)
);

insert into error_day_due (site_id, day, since)
select distinct site_id, day_of(bucket), '-infinity'::timestamptz from traffic_bucket where errors > 0;

-- A projector of the version before would leave counts of days that it changes.
update projection_checkpoint set projection_version = 15;
alter table projection_checkpoint alter column projection_version set default 15;
