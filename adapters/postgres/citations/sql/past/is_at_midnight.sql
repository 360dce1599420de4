-- is_at_midnight
-- Whether a session begins just when all hits are later, and just after a midnight.
(
    after.started_at >= %(later_since)s::timestamptz
    and after.started_at < %(later_since)s::timestamptz + interval '30 minutes'
    and after.started_at < day_of(after.started_at) + interval '30 minutes'
)
