-- empty_table
delete from {table}
