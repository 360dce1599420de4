-- values_and_conversions
with {sessions}{owners},
reached as materialized (select session_id from selected where {reached}),
each as (select {value} as value, visitor_id, session_id, count(*) as count from {source} group by 1, 2, 3)
select json_build_object(
    'value', coalesce(json_agg(value), '[]'), 'visitor', coalesce(json_agg(visitor), '[]'),
    'count', coalesce(json_agg(count), '[]'), 'sessions', coalesce(json_agg(sessions), '[]'),
    'conversions', coalesce(json_agg(conversions), '[]')
)::text as rest
from (
    select
        value, visitor_id as visitor, sum(count)::bigint as count, count(*) as sessions,
        count(*) filter (where session_id in (select session_id from reached)) as conversions
    from each
    group by value, visitor_id
) as counted
