-- drop_local_schema
drop schema if exists {schema} cascade
