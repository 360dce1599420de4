-- write_error_buckets
insert into error_bucket as kept (site_id, message_id, bucket, occurrences, sessions)
with change as (
    select site_id, message_id, bucket_of(occurred_at) as bucket, (not again)::integer as occurrences, 0 as sessions from new_errors
    union all
    select site_id, message_id, bucket_of(first_at), 0, 1
    from error_session_delta
    where first_at is not null and (was_first_at is null or first_at < was_first_at)
    union all
    select site_id, message_id, bucket_of(was_first_at), 0, -1
    from error_session_delta
    where first_at is null or first_at < was_first_at
)
select site_id, message_id, bucket, sum(occurrences), sum(sessions)
from change
group by site_id, message_id, bucket
having sum(occurrences) <> 0 or sum(sessions) <> 0
on conflict (site_id, message_id, bucket) do update set
    occurrences = kept.occurrences + excluded.occurrences, sessions = kept.sessions + excluded.sessions
