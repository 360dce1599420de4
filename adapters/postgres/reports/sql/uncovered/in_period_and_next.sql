-- in_period_and_next
hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s::timestamptz + interval '30 minutes'
