-- look_first_in
select set_config('search_path', %(schema)s || ', ' || current_setting('search_path'), false)
