-- with_hits_that
session_id in (select its.session_id from {hits} {selection/session_of_hit})
