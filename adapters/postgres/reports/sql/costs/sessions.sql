-- sessions
selected as materialized (
    select session.*
    from session
    where session.site_id = %(site_id)s and started_at >= %(start)s and started_at < %(end)s and {conditions}
)
