-- Schemas and tables by names that are not known before: of cells, of sets of read models, of months of the traffic log.

-- name: create_schema
create schema if not exists {schema}

-- name: drop_schema
drop schema if exists {schema} cascade

-- name: drop_table
drop table {table}

-- name: rows
-- Statements that copy or compare tables of several names read it under one.
select {columns} from {table} as own

-- name: count_rows
-- A hundred percent are all rows.
select count(*) as rows from {table} tablesample system (%(percent)s)

-- name: copy_out
copy ({query}) to stdout

-- name: copy_in
copy {table} ({columns}) from stdin
