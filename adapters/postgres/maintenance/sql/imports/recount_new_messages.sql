-- recount_new_messages
-- A message whose first occurrences were imported is new on another day without them.
update traffic_bucket
set new_messages = coalesce(counted.messages, 0)
from traffic_bucket as kept
left join (
    select bucket_of(first_seen) as bucket, count(*) as messages
    from error_message
    where site_id = %(site_id)s
    group by 1
) as counted on counted.bucket = kept.bucket
where kept.site_id = %(site_id)s and kept.new_messages <> coalesce(counted.messages, 0)
    and traffic_bucket.site_id = kept.site_id and traffic_bucket.bucket = kept.bucket
