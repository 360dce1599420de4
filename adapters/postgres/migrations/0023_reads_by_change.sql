-- Statements that run every second, or for every new site, read what has changed and nothing else.

-- Goals whose past is being counted: the projector asks for them all the time, of all goals there are few.
create index on goal_version (site_id) where fill_from is not null;

-- Outcomes are erased by age (docs/track/ingestion.md#counts-of-outcomes).
create index on ingestion_outcome (quarter);

-- Days that were closed since some time, which the keeper of files looks for, and those that have been open for an hour.
create index on column_day (since) where state = 'closed';
create index on column_day (since) where state = 'open';
