-- can_match
hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s and hit.type in ('pageview', 'custom_event')
