-- of_paths
-- Hits are read once for all goals, and each path is compared once.
with viewed as materialized (select session_id, pathname from ({hits}) as hit),
path as (select pathname, {flags} from (select distinct pathname from viewed)),
met as (
    select session_id, {met}
    from viewed
    join path using (pathname)
    where {some}
    group by session_id
)
select {counts} from met
