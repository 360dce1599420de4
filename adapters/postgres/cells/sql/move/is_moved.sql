-- is_moved
select to_regclass('cell_moved') is not null as moved
