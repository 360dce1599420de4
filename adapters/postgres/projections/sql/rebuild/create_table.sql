-- create_table
create table {copy} (like {table} including all){storage}
