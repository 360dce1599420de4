-- Breakdowns, web vitals and visitors are read by DuckDB: days are no longer counted.

-- Without a counted day the processes of the version before, which may run for a while, read rows. The tables are theirs.
truncate breakdown_day, vitals_day, visitors_day, day_summary_state;

-- A projector that marks days as changed would fill the last one.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 7;
