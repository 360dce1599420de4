-- hits_of_period
-- Without filters each hit of the period belongs to a session of it.
(select hit.* from hit where {selection/hits_inside} and hit.type = {type}) as those
