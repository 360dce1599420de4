-- summaries
select
    message.message, message.error_name, page.occurrences as count, {session_count} as session_count, total.occurrences as total,
    message.first_seen, message.last_seen, message.last_seen as last_ever, resolved_at
from page
cross join total
join error_message as message on message.site_id = %(site_id)s and message.message_id = page.message_id
{resolution}
