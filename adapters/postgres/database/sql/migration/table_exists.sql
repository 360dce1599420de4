-- table_exists
select to_regclass(%(name)s) is not null
