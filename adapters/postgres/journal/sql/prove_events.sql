-- prove_events
select
    entry.event ->> 'type' as type, (entry.event ->> 'schema_version')::integer as schema_version,
    (entry.event -> 'data')::text as data
from jsonb_array_elements(%(events)s) with ordinality as entry (event, ordinality)
order by entry.ordinality
