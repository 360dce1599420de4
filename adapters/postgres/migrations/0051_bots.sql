-- Hits and sessions have the bot of their user agent, and whether its address is one that its operator publishes (docs/bots.md).
-- Hits from before have neither.

alter table hit add column bot text, add column bot_verified text;
alter table session add column bot text, add column bot_verified text;

-- A projector of the version before would leave them out.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 11;
