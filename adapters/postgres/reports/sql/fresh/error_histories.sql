-- error_histories
-- What the whole history of a site says of some messages.
select message.message, message.error_name, message.first_seen, message.last_seen, resolved_at
from unnest(%(messages)s::text[]) as asked (text)
join error_message as message
    on message.site_id = %(site_id)s and message.digest = sha256(convert_to(asked.text, 'UTF8'))
{errors/resolution}
