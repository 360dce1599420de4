-- erase_error_sightings
delete from error_sighting
where ctid = any(array(
    select error_sighting.ctid
    from error_sighting
    where site_id = %(site_id)s
        and occurred_at >= %(since)s::timestamptz and occurred_at < %(until)s::timestamptz
        and not exists (
            select from session
            where session.site_id = error_sighting.site_id and session.session_id = error_sighting.session_id
        )
    limit %(limit)s
))
