-- erase_error_spans
delete from error_span
where error_span.site_id = %(site_id)s and error_span.message_id = any(%(message_ids)s)
    and (
        error_span.since <= span_of(error_span.days, %(before)s)
        or not exists (
            select from error_message
            where error_message.site_id = error_span.site_id
                and error_message.message_id = error_span.message_id
                and day_of(error_message.first_seen) < day_of(error_message.last_seen)
        )
    )
