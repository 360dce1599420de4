-- release_triggers
alter table {table} enable trigger user
