-- listed
-- As a table: DuckDB takes longer to plan a list of a hundred constants than to answer most reports.
create or replace temp table {table} as
select unnest($session_ids::bigint[]) as session_id
