-- read_outcome_quarters
select quarter, outcome, reason, sum(events)::bigint as events
from ingestion_outcome
where site_id = %(site_id)s and quarter >= %(start)s and quarter < %(end)s
group by quarter, outcome, reason
