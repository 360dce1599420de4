-- create_schema
create schema {schema}
