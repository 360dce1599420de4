-- Cells: further stores of traffic, each with this schema in a place of its own (docs/internals/servers/cells.md).

-- The class of the store's advisory locks. The store of an installation has this one; a cell has one of its own, which
-- replaces the number wherever it stands in a migration, so that several cells of one database do not share locks.
create function lock_class() returns integer language sql immutable parallel safe as 'select 1181708916';

-- The cell whose traffic this schema holds, and the random mark that the journal knows of it. Empty in the store of the
-- journal.
create table cell_mark (
    cell text primary key,
    mark text not null,
    -- Up to which position of the journal the events of the cell's sites are in the table event.
    journal_position bigint not null default 0
) with (fillfactor = 50);

-- In the store of the journal: the sites of a cell.
create index event_of_placed_sites on event ((data ->> 'cell'), stream) where type = 'site-placed';
