-- Hits and sessions have the bot of their user agent, and whether its address is one that its operator publishes (docs/track/bots.md).
-- Hits from before have neither.

alter table hit add column bot text, add column bot_verified text;
alter table session add column bot text, add column bot_verified text;

-- A projector of the version before would leave them out.
update projection_checkpoint set projection_version = projection_version + 1;
alter table projection_checkpoint alter column projection_version set default 11;

-- The requests of bots that are refused, by day in the time zone of the site. Unknown verifications and the pages that are
-- counted together are empty texts; tracked events are of import 0.
create table refused_bot (
    site_id bigint not null,
    day date not null,
    bot text not null,
    verified text not null,
    page text not null,
    import_id bigint not null,
    requests bigint not null,
    primary key (site_id, day, bot, verified, page, import_id)
) with (fillfactor = 70);
create index on refused_bot (day) where import_id = 0;

create trigger refused_bot_noted after insert or update or delete on refused_bot
    for each row when (not pg_try_advisory_xact_lock_shared(1181708916, 15))
    execute function note_changed_row('site_id', 'day', 'bot', 'verified', 'page', 'import_id');
