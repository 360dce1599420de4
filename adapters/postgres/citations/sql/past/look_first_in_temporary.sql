-- look_first_in_temporary
-- The projector's statements write temporary tables.
select set_config('search_path', 'pg_temp, ' || %(search_path)s, true)
