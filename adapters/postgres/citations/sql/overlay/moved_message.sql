-- moved_message
-- Messages first seen in a quarter of an hour that were not first seen in it then, less those that were.
select bucket, sum(messages)::bigint as messages
from (
    select bucket_of(first_seen) as bucket, 1 as messages
    from {schema}.error_message
    where site_id = {site_id} and message_id in (select message_id from later_error)
    union all
    select bucket_of(first_seen), -1 from past_error_message where message_id in (select message_id from later_error)
) as moved
group by bucket
having sum(messages) <> 0
