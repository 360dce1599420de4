-- replayed_error_session
-- The same where sessions have been replayed: of the changed ones, those of now were not, and those of the past are no more.
select message_id, session_id, first_at, last_at, now_first_at from past_error_session
union all
select pair.message_id, pair.session_id, past.first_at, past.last_at, kept.first_at as now_first_at
from (
    select distinct message_id, session_id
    from later_error
    where session_id not in (select session_id from changed_session)
) as pair
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
