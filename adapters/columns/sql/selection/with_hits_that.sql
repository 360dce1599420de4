-- with_hits_that
session_id in (select session_id from read_parquet($hit_files) where {comparison})
