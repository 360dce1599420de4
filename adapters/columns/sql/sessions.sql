-- Lists of sessions, from files.

-- name: listed
with page as materialized (
    select session_id
    from ({sessions}) as session
    where {chosen} and {of_visitor} and {behind}
    order by started_at desc, session_id desc
    limit $most
)
-- Few columns are read of all sessions, and all columns of those on the page.
select epoch_us(started_at), epoch_us(ended_at), {columns}
from session
semi join page using (session_id)
order by started_at desc, session_id desc

-- name: of_visitor
counted_visitor = $visitor

-- name: behind
(started_at < $after_start or started_at = $after_start and session_id < $after_id)

-- name: of_digits
user_id is null and regexp_matches(lpad(lower(to_hex(visitor_id)), 16, '0'), $containing)
