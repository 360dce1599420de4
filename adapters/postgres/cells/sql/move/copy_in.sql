-- copy_in
copy {table} ({columns}) from stdin
