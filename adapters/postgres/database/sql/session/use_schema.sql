-- use_schema
select set_config('search_path', %(schema)s, false)
