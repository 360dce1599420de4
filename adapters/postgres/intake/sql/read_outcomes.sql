-- read_outcomes
select outcome, reason, sum(events)::bigint as events
from ingestion_outcome
where site_id = %(site_id)s and quarter >= %(start)s and quarter < %(end)s
group by outcome, reason
order by outcome, reason
