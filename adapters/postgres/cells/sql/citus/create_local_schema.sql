-- create_local_schema
create schema if not exists {schema} authorization {role}
