-- copy
-- Groups of rows are left out whose type or time a report does not ask for; smaller ones take more space, and hold fewer of
-- the values of a column that repeat, by whose numbers reports group rows.
copy ({query}) to {target} (
    format parquet, parquet_version v2, compression zstd, compression_level 6, row_group_size 81920
)
