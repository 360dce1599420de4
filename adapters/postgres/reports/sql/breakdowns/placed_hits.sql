-- placed_hits
-- The hits of the owners with the time of their session's next hit, which can be after the period: no pause is longer.
placed as (
    select
        hit.visitor_id, hit.type, hit.pathname, hit.occurred_at,
        (round(date_part('epoch', lead(hit.occurred_at) over (
            partition by owner.session_id order by hit.occurred_at, hit.position
        ) - hit.occurred_at) * 1000000))::integer as until_next
    from {hits}
    join owner on owner.visitor_id = hit.visitor_id
        and hit.position >= owner.session_id and hit.position < owner.until
)
