-- session_table
create temporary table session (like {schema}.session including indexes) on commit drop
