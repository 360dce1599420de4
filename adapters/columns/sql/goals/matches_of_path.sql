-- matches_of_path
-- Each path is compared once.
select {index} as goal, count(*) as sessions
from (
    select distinct session_id
    from ({hits}) as hit
    where pathname in (
        select pathname
        from (select distinct pathname from hit where type = 'pageview') as path
        where {condition}
    )
)
