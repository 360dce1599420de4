-- The names of errors, from files.

-- name: names
-- Messages by their occurrences: grouped by message and session, and then by message.
with part as (
    select error_message as message, session_id, count(*) as count, max(occurred_at) as last_seen
    from ({hits}) as hit
    group by 1, 2
),
total as (
    select message, sum(count)::bigint as count, count(*) as sessions, max(last_seen) as last_seen from part group by message
),
page as (select * from total where {chosen} order by count desc, message limit $limit offset $offset),
everything as (select count(*) filter (where {chosen}) as messages, coalesce(sum(count), 0)::bigint as count from total)
select everything.messages, everything.count, page.message, page.count, page.sessions, epoch_us(page.last_seen)
from everything
left join page on true
order by page.count desc, page.message
