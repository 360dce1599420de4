-- added_error_bucket
select message_id, bucket_of(occurred_at) as bucket, sum(occurrences)::bigint as occurrences, sum(sessions)::bigint as sessions
from added_error
where occurred_at < {later_since}
group by message_id, bucket_of(occurred_at)
