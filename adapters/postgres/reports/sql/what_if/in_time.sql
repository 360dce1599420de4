-- in_time
hit.occurred_at <= entered_at + {within}
