-- found_summaries
select
    message.message, message.error_name, page.occurrences as count, page.sessions as session_count,
    (select sum(occurrences)::bigint from found) as total, message.first_seen, page.last_seen,
    message.last_seen as last_ever, resolved_at
from found as page
join error_message as message on message.site_id = %(site_id)s and message.message_id = page.message_id
{resolution}
