-- look_again
select set_config('search_path', %(search_path)s, true)
