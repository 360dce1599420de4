-- with_hits_inside
session_id in (select its.session_id from hit {session_of_hit} where {hits_inside})
