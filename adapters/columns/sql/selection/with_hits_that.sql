-- with_hits_that
session_id in (select session_id from hit where {comparison})
