-- changed_error_session
-- The sessions in which a message occurred later, with its first and last time in them before that; null when it had not
-- occurred.
select pair.message_id, pair.session_id, past.first_at, past.last_at, kept.first_at as now_first_at
from (select distinct message_id, session_id from later_error) as pair
-- One look each, also in a statement that avoids nested loops.
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
