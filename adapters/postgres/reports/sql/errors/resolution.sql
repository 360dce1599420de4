-- resolution
-- When a member last marked the error as resolved.
left join lateral (
    select recorded_at as resolved_at
    from event
    where stream = %(stream)s and type = 'error-resolved'
        and md5(data ->> 'message') = md5(message.message) and data ->> 'message' = message.message
    order by version desc
    limit 1
) as resolution on true
