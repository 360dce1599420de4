-- error_messages
select message_id
from error_message
where site_id = %(site_id)s and message_id > %(after_message)s
    and first_seen < %(until)s::timestamptz and last_seen >= %(since)s::timestamptz
order by message_id
limit %(messages)s
