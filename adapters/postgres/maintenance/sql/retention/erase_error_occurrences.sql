-- erase_error_occurrences
delete from error_occurrence
where ctid = any(array(
    select error_occurrence.ctid
    from error_occurrence
    where site_id = %(site_id)s and occurred_at < %(before)s
        and not exists (
            select from session
            where session.site_id = error_occurrence.site_id and session.session_id = error_occurrence.session_id
        )
    limit %(limit)s
))
