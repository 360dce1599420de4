-- drop_table
drop table {table}
