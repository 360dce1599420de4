-- error_bucket
select site_id, message_id, bucket, occurrences, sessions
from (
    select
        site_id, message_id, bucket, kept.occurrences - coalesce(added.occurrences, 0) as occurrences,
        kept.sessions - coalesce(added.sessions, 0) as sessions
    from {schema}.error_bucket as kept
    left join added_error_bucket as added using (message_id, bucket)
    where site_id = {site_id} and bucket < {later_since}
) as past
where occurrences > 0
