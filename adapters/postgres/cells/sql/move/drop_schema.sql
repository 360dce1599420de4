-- drop_schema
drop schema if exists {schema} cascade
