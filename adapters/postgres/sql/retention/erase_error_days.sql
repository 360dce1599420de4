-- erase_error_days
delete from error_day
where error_day.site_id = %(site_id)s and error_day.message_id = any(%(message_ids)s)
    and (
        error_day.day <= day_of(%(before)s)
        or not exists (
            select from error_message
            where error_message.site_id = error_day.site_id
                and error_message.message_id = error_day.message_id
                and day_of(error_message.first_seen) < day_of(error_message.last_seen)
        )
    )
