-- path_that
pathname in (
    select pathname
    from (select distinct pathname from read_parquet($hit_files) where type = 'pageview') as path
    where {condition}
)
