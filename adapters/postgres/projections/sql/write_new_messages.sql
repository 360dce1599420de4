-- write_new_messages
-- After the quarters of an hour have been written, and before the messages are: error_message has the state before the slice.
with moved as materialized (
    select seen.site_id, bucket_of(seen.first_at) as bucket, bucket_of(was.first_seen) as was_bucket
    from (select site_id, message_id, min(occurred_at) as first_at from new_errors group by site_id, message_id) as seen
    left join lateral (
        select first_seen
        from error_message
        where error_message.site_id = seen.site_id and error_message.message_id = seen.message_id
        limit 1
    ) as was on true
    where was.first_seen is null or seen.first_at < was.first_seen
),
change as (
    select site_id, bucket, sum(messages) as messages
    from (
        select site_id, bucket, 1 as messages from moved
        union all
        select site_id, was_bucket, -1 from moved where was_bucket is not null
    ) as part
    group by site_id, bucket
    having sum(messages) <> 0
)
update traffic_bucket
set new_messages = new_messages + change.messages
from change
where traffic_bucket.site_id = change.site_id and traffic_bucket.bucket = change.bucket
