-- copy
-- Groups of rows are left out whose type or time a report does not ask for; smaller ones take more space, and hold fewer of
-- the values of a column that repeat, by whose numbers reports group rows. Bloom filters would take 0.9 bytes a hit.
copy ({query}) to {target} (
    format parquet, parquet_version v2, compression zstd, compression_level 6, row_group_size 81920,
    write_bloom_filter false
)
