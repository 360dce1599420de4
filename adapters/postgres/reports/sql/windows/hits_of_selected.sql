-- hits_of_selected
(
    select hit.*, owner.session_id
    from hit
    join owner on owner.visitor_id = hit.visitor_id and position >= owner.session_id and position < until
    where {selection/hits_inside} and hit.type = {type}
) as those
