-- move_table
alter table {table} set schema {schema}
