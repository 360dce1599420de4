-- holds_hit
-- Another hit of the same visitor that came in the same microsecond is one of the same request.
select exists (
    select from hit
    where site_id = %(site_id)s and occurred_at = %(occurred_at)s and received_at = %(received_at)s
        and visitor_id = %(visitor_id)s
) as held
