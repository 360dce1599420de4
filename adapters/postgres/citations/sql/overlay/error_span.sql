-- error_span
select site_id, days, since, message_id, occurrences, sessions
from (
    select
        site_id, days, since, message_id, kept.occurrences - coalesce(added.occurrences, 0) as occurrences,
        kept.sessions - coalesce(added.sessions, 0) as sessions
    from {schema}.error_span as kept
    left join added_error_span as added using (days, since, message_id)
    where site_id = {site_id} and since < {later_since}
) as past
where occurrences > 0
