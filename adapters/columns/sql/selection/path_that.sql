-- path_that
pathname in (
    select pathname
    from (select distinct pathname from hit where type = 'pageview') as path
    where {condition}
)
