-- How far back a day has to be read for questions about the past (docs/read/programs/citations.md).

-- The highest position of a hit of each day in UTC, or a later one: as of that position and later ones, the day has the hits
-- that it has now, but for those that were erased.
create table day_position (
    site_id bigint not null,
    day timestamptz not null,
    position bigint not null,
    primary key (site_id, day)
) with (fillfactor = 50);

-- Of earlier hits the day alone is known.
insert into day_position (site_id, day, position)
select site_id, day, (select position from projection_checkpoint where name = 'reports') from day_summary_state;

-- A projector that does not know this table would not raise positions.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 4;
