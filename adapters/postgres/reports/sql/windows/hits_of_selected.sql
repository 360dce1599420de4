-- hits_of_selected
(
    select hit.*, selected.session_id
    from hit
    join selected on selected.visitor_id = hit.visitor_id
        and occurred_at >= selected.started_at and occurred_at <= selected.ended_at
    where {selection/hits_inside} and hit.type = {type}
) as those
