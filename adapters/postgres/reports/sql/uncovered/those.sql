-- those
-- The hits of the selected sessions in the period.
(
    select hit.*, owner.session_id
    from {hits}
    join owner on owner.visitor_id = hit.visitor_id and position >= owner.session_id and position < owner.until
) as those
