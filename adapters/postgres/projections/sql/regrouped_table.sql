-- regrouped_table
create temporary table if not exists regrouped on commit delete rows as
select 0 as sign, session_id as target_id, session.* from session with no data
