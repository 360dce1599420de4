-- The names of errors, from files.

-- name: messages
-- Messages by their occurrences: grouped by message and session, and then by message.
select value, sum(count)::bigint as count, count(*) as sessions, max(last_seen) as last_seen
from (
    select error_message as value, session_id, count(*) as count, max(occurred_at) as last_seen from hits group by 1, 2
)
group by value

-- name: names
with page as (select * from listed where is_chosen order by count desc, value limit $limit offset $offset),
everything as (
    select count(*) filter (where is_chosen) as messages, coalesce(sum(count), 0)::bigint as count from listed
)
select everything.messages, everything.count, page.value, page.count, page.sessions, epoch_us(page.last_seen)
from everything
left join page on true
order by page.count desc, page.value
