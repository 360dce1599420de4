-- times_before
-- Of a message in a session, a `pair`: its first time now, and its first and last time before the position; null when it had not
-- occurred. One look each, also in a statement that avoids nested loops.
cross join lateral (
    select first_at, last_at
    from {schema}.error_session as its
    where its.site_id = {site_id} and its.message_id = pair.message_id and its.session_id = pair.session_id
    offset 0
) as kept
cross join lateral (
    select min(occurred_at) as first_at, max(occurred_at) as last_at
    from {schema}.error_occurrence as its
    where its.site_id = {site_id} and its.message_id = pair.message_id
        and occurred_at >= kept.first_at and occurred_at <= kept.last_at and occurred_at < {later_since}
        and its.session_id = pair.session_id and {is_shown} and pair.session_id <= {last}
) as past
