-- copy
copy ({query}) to stdout (format csv, header true)
