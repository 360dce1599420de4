-- arrive
-- What an interrupted move leaves is known by the mark of the store that it copied.
create table cell_arrival (from_mark text not null)
