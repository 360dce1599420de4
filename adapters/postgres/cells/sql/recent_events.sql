-- recent_events
select coalesce(sum(events), 0)::bigint as events
from ingestion_outcome
where outcome = 'stored' and quarter >= %(since)s
