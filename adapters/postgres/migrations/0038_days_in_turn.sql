-- Open days are closed one after the other, from place to place in the order of days and sites (docs/internals/columns.md#closing).

create index on column_day (day, site_id) where state = 'open';
drop index column_day_day_idx;
