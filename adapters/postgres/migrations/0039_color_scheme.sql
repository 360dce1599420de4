-- Hits and sessions have the color scheme that the visitor's browser prefers (docs/read/dimensions.md).

alter table hit add column color_scheme text;
alter table session add column color_scheme text;

-- A projector of the version before would leave it out.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 9;
