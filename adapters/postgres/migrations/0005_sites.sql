-- What is kept of sites and keys beside the journal.

-- When each API key was last used, to the hour.
create table key_use (
    key_id bigint primary key,
    used_at timestamptz not null
) with (fillfactor = 50);

-- The history of a site needs the goals that it ever had, deleted ones included, and so does the erasure of a site.
create index event_goals_of_site on event (((data ->> 'site_id')::bigint)) where type = 'goal-defined';
