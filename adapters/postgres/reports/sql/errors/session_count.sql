-- session_count
-- A message seen only inside the period has its sessions at hand. Those of another are the sessions that met it first inside
-- the period, and those that met it first before and last inside. Only in a period of less than a day can a session meet
-- it before and after the period and not inside.
case
    when page.sessions is null then message.sessions
    when %(short)s then (
        select count(distinct session_id)
        from error_occurrence as its
        where its.site_id = %(site_id)s and its.message_id = page.message_id
            and occurred_at >= %(start)s and occurred_at < %(end)s
    )
    else page.sessions + (
        select count(*)
        from error_session as its
        where its.site_id = %(site_id)s and its.message_id = page.message_id
            and last_at >= %(start)s and last_at < %(quarters_start)s::timestamptz + interval '24 hours'
            and first_at < %(quarters_start)s
    ) + (
        select count(*)
        from error_session as its
        where its.site_id = %(site_id)s and its.message_id = page.message_id
            and last_at >= %(quarters_end)s and last_at < %(end)s::timestamptz + interval '24 hours'
            and first_at >= %(quarters_end)s and first_at < %(end)s
    )
end
