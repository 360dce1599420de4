-- Lists of sessions, from files.

-- name: listed
-- The ids alone: with all columns of a session the planning takes twice as long as the rest.
select session_id from sessions order by started_at desc, session_id desc limit $most

-- name: of_visitor
counted_visitor = $visitor

-- name: with_errors
select session_id
from hit
where type = 'error' and occurred_at >= $start and occurred_at < $end and position in (
    -- Not as a constant, which the planner would read and copy again and again.
    select unnest(from_json(given, '["BIGINT"]')) from (select unnest([$errors_met]) as given) as met
)

-- name: behind
(started_at < $after_start or started_at = $after_start and session_id < $after_id)

-- name: of_digits
user_id is null and regexp_matches(lpad(lower(to_hex(visitor_id)), 16, '0'), $containing)
