-- with_hits_inside
session_id in (select session_id from hit where occurred_at >= $start and occurred_at < $end)
