-- keep_error_buckets
insert into error_bucket (site_id, message_id, bucket, occurrences, sessions)
with part as (
    select message_id, bucket_of(occurred_at) as bucket, 1 as occurrences, 0 as sessions
    from error_occurrence
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and occurred_at < %(before)s
    union all
    select message_id, bucket_of(first_at), 0, 1
    from error_session
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and first_at < %(before)s
)
select %(site_id)s, message_id, bucket, sum(occurrences), sum(sessions)
from part
group by message_id, bucket
