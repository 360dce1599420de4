-- owners
-- Hits of a session are those of its visitor from the hit that began it to the one that began the visitor's next session.
owner as materialized (
    select selected.visitor_id, selected.session_id, coalesce(next.session_id, 9223372036854775807) as until
    from selected
    left join lateral (
        select session.session_id
        from session
        where session.site_id = %(site_id)s and session.visitor_id = selected.visitor_id
            and session.session_id > selected.session_id
        order by session.session_id
        limit 1
    ) as next on true
)
