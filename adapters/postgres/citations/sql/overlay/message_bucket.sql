-- message_bucket
-- The traffic buckets of statements that count new messages.
select site_id, bucket, kept.errors, kept.new_messages - coalesce(moved.messages, 0) as new_messages
from ({buckets}) as kept
left join moved_message as moved using (bucket)
