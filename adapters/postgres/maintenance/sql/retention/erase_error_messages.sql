-- erase_error_messages
delete from error_message
where site_id = %(site_id)s and message_id = any(%(message_ids)s)
    and not exists (
        select from error_occurrence
        where error_occurrence.site_id = error_message.site_id
            and error_occurrence.message_id = error_message.message_id
    )
