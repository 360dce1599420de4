-- Closed days that are to be closed again: those with many changes, and those that another store closed.

create index on column_day (day) where state = 'closed' and changes * 20 > sessions;
create index on column_day (store) where state = 'closed';
