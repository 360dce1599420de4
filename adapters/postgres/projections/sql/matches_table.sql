-- matches_table
create temporary table if not exists matches on commit delete rows as
select site_id, session_id, number, first_at, last_at from conversion with no data
