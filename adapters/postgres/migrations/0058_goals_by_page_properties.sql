-- Goals of a path may ask for a property of the pageview (docs/read/reports.md#goals). A projector of the version before would count
-- every view of the path, and keep the counts. No such goal can have been counted: the read models stay.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 13;
