-- erase_marks
-- A mark goes with the last hit of the rest of its run.
delete from session_mark
where site_id = %(site_id)s
    and not exists (
        select from hit
        where hit.site_id = session_mark.site_id and hit.visitor_id = session_mark.visitor_id
            and occurred_at >= cutoff and occurred_at <= last_at + interval '30 minutes'
    )
