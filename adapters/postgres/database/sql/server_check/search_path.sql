-- search_path
select current_setting('search_path')
