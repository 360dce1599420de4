-- changed_session_table
create temporary table changed_session (session_id bigint primary key) on commit drop
