-- use_search_path
select set_config('search_path', %(path)s, false)
