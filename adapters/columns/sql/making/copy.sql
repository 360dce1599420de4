-- copy
-- Groups of rows are left out whose type or time a report does not ask for; smaller ones would take more space.
copy ({query}) to {target} (format parquet, parquet_version v2, compression zstd, row_group_size 40960)
