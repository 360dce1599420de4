-- in_period
hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and hit.type = {type}
