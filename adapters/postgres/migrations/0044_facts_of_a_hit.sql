-- Hits and sessions have what speaks against a person (docs/track/automation.md), where their country is from, and the hosting
-- network of their address (docs/track/enrichment.md). Hits from before have none of these.

alter table hit
    add column automation text, add column location_source text, add column network text, add column autonomous_system text;
alter table session
    add column automation text, add column location_source text, add column network text, add column autonomous_system text;

-- A projector of the version before would leave them out.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 10;
