-- drop_tables
drop table if exists {name}_session;

drop table if exists {name}_hit
