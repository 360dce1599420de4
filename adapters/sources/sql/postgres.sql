-- The connection to the database of another service.

-- name: choose_schema
-- For this transaction only: a pool gives the connection to others afterwards.
select set_config('search_path', quote_ident(%(schema)s), true)
