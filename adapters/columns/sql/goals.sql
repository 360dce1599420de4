-- Conversions of goals, from files.

-- name: sessions
select count(*) as sessions, count(*) filter (where pageviews > 0) as viewed from sessions

-- name: of_paths
-- Hits are read once for all goals, and each path is compared once.
with viewed as materialized (select session_id, pathname from hits),
path as (select pathname, {flags} from (select distinct pathname from viewed))
select * from viewed join path using (pathname)

-- name: of_hits
select session_id, {flags} from hits

-- name: converted
with met as (select session_id, {met} from matched where {some} group by session_id)
select {counts} from met

-- name: page
with found as materialized (select session_id, ended_at from sessions)
select total.count, page.session_id
from (select count(*) as count from found) as total
left join (select * from found order by ended_at desc, session_id desc limit $limit offset $offset) as page on true
order by page.ended_at desc, page.session_id desc
