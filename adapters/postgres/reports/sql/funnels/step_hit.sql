-- step_hit
-- The hits that a step can be, of the selected sessions in the period.
step_hit as materialized (
    select index as step, owner.session_id, match.visitor_id, position, occurred_at
    from match
    join owner on owner.visitor_id = match.visitor_id and position >= owner.session_id and position < owner.until
)
