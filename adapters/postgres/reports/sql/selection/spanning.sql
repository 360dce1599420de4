-- spanning
-- Consecutive hits of a session are at most 30 minutes apart: one that spans a period of 30 minutes or more has hits in it.
started_at >= %(start)s::timestamptz - interval '24 hours' and started_at < %(end)s and ended_at >= %(start)s
