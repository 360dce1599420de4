-- keep_error_sessions
-- Errors in changed sessions: when they occurred first as the sessions are now, and as they were.
insert into past_error_session (message_id, session_id, first_at, last_at, now_first_at)
select own.message_id, own.session_id, null::timestamptz, null::timestamptz, own.first_at
from (
    select distinct occurrence.message_id, occurrence.session_id
    from changed_session
    join {schema}.session as its on its.site_id = %(site_id)s and its.session_id = changed_session.session_id
    cross join lateral (
        select message_id, session_id
        from {schema}.error_occurrence
        where error_occurrence.site_id = %(site_id)s and occurred_at >= its.started_at and occurred_at <= its.ended_at
            and error_occurrence.session_id = its.session_id
        offset 0
    ) as occurrence
    where its.errors > 0
) as pair
cross join lateral (
    select message_id, session_id, first_at
    from {schema}.error_session
    where error_session.site_id = %(site_id)s and error_session.message_id = pair.message_id
        and error_session.session_id = pair.session_id
    offset 0
) as own
union all
select occurrence.message_id, slice.session_id, min(slice.occurred_at), max(slice.occurred_at), null
from slice
cross join lateral (
    select message_id
    from {schema}.error_occurrence
    where error_occurrence.site_id = %(site_id)s and error_occurrence.occurred_at = slice.occurred_at
        and error_occurrence.position = slice.position
    offset 0
) as occurrence
where slice.type = 'error'
group by occurrence.message_id, slice.session_id
