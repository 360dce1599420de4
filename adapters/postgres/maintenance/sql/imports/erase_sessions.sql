-- erase_sessions
-- The visitors of an import are its own, and so are their sessions. A session is erased when its first hit in the log,
-- whose position is its id, is gone; its conversions are erased with it.
with gone as (
    delete from session
    where ctid = any(array(
        select session.ctid
        from session
        left join lateral (
            select true as kept
            from hit
            where hit.position = session.session_id
                and hit.occurred_at >= session.started_at and hit.occurred_at <= session.ended_at
            limit 1
        ) as first on true
        where session.site_id = %(site_id)s
            and session.started_at >= %(since)s::timestamptz and session.started_at < %(until)s::timestamptz
            and first.kept is null
        limit %(limit)s
    ))
    returning site_id, session_id
),
without_conversions as (
    delete from conversion
    using gone
    where conversion.site_id = gone.site_id and conversion.session_id = gone.session_id
)
select count(*) as sessions from gone
