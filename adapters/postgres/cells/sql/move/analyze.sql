-- analyze
analyze {table}
