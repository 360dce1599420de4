-- Conversions of goals, from files.

-- name: sessions
select count(*) as sessions, count(*) filter (where pageviews > 0) as viewed
from ({sessions}) as session

-- name: of_paths
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

-- name: of_hits
with matched as (select session_id, {flags} from ({hits}) as hit),
met as (select session_id, {met} from matched where {some} group by session_id)
select {counts} from met

-- name: page
with found as materialized (
    select session_id, ended_at
    from ({sessions}) as session
    where session_id in ({converted}) and {chosen}
)
select total.count, page.session_id
from (select count(*) as count from found) as total
left join (select * from found order by ended_at desc, session_id desc limit $limit offset $offset) as page on true
order by page.ended_at desc, page.session_id desc
