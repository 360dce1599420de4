-- Conversions of goals, from files.

-- name: sessions
select count(*) as sessions, count(*) filter (where pageviews > 0) as viewed from sessions

-- name: viewed
select session_id, pathname from hits

-- name: matched
select * from viewed join path using (pathname)

-- name: converted
with met as (
    select bool_or(columns('^matches_')) from matched where true in (*columns('^matches_')) group by session_id
)
select count(nullif(columns(*), false)) from met

-- name: page
with found as materialized (select session_id, ended_at from sessions)
select total.count, page.session_id
from (select count(*) as count from found) as total
left join (select * from found order by ended_at desc, session_id desc limit $limit offset $offset) as page on true
order by page.ended_at desc, page.session_id desc
