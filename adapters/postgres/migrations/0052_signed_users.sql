-- Hits have the visitor of the user for whom the backend of the site vouches (docs/track/signed-users.md), and sessions that of
-- their latest user. Hits from before have none.

alter table hit add column signed_visitor_id bigint;
alter table session add column signed_visitor_id bigint;

-- A projector of the version before would leave them out.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 12;
