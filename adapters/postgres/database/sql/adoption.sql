-- Databases that the last version before the first release has made: they have its schema, but for what no release uses.

-- name: has_more_to_do
-- What that version does when it runs: it groups errors from before their groups, and encrypts what earlier ones had not.
select
    exists (select from error_history)
    or exists (select from event where type = 'private-link-generated' and schema_version = 0)
    or exists (select from alert_target where url ~ '^https?://')
    or exists (select from visitor_salt where octet_length(salt) = 32)
    or exists (select from visitor_span_salt where octet_length(salt) = 32) as unfinished

-- name: adopt
drop table breakdown_day, day_summary_state, visitors_day, vitals_day, error_history;
drop type breakdown_dimension, day_state;
drop function counts_as_digits(integer[], integer[], integer), ordinal_of_class(integer), class_of_ordinal(integer);
drop function measure_class(double precision), ten_thousandths(double precision), step_of(double precision);
drop function class_in_step(bigint, integer);
drop index event_plain_link;
alter index if exists column_day_day_idx1 rename to column_day_day_idx;

-- A projector of the version before would look for what is gone.
update projection_checkpoint set projection_version = 14;
alter table projection_checkpoint alter column projection_version set default 14;

delete from schema_migration;
