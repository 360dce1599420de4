-- with_hits_that
-- A session that spans the period has hits at most 24 hours around it.
session_id in (
    select its.session_id
    from hit {session_of_hit}
    where hit.site_id = %(site_id)s and {projected}
        and occurred_at >= %(start)s::timestamptz - interval '24 hours'
        and occurred_at < %(end)s::timestamptz + interval '24 hours'
        and {comparison}
)
