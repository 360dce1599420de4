-- found
-- What a schema holds that has the name of a cell.
select
    to_regclass('cell_mark') is not null as has_mark,
    to_regclass('cell_arrival') is not null as is_arriving,
    to_regclass('cell_moved') is not null as was_moved,
    exists (
        select from pg_class
        where relnamespace = current_schema()::regnamespace and relkind in ('r', 'p', 'S', 'v', 'm')
    ) as holds_anything
