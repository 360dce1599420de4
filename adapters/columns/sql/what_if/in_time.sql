-- in_time
hit."at" <= entered_at + {within}
