-- move_new_messages
-- Messages that retention left with a first occurrence after the cutoff; keep_traffic_buckets counts the others.
update traffic_bucket
set new_messages = new_messages + moved.messages
from (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s and message_id = any(%(message_ids)s) and first_seen >= %(before)s
    group by 1
) as moved
where traffic_bucket.site_id = %(site_id)s and traffic_bucket.bucket = moved.bucket
