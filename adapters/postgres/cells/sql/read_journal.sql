-- read_journal
-- The events of the sites that are placed in a cell, and of the goals and funnels that these sites ever had. The erasure of a site
-- keeps its cell, so that a cell which was away learns of the deletion.
with placed as materialized (
    select split_part(stream, '-', 2) as site_id
    from event
    where type = 'site-placed' and data ->> 'cell' = %(cell)s
)
select position, stream, version, type, schema_version, data::text as data, recorded_at
from event
where position > %(after)s and position <= %(up_to)s
    and (
        stream = any(array(
            select kind || '-' || site_id from placed cross join unnest(%(kinds)s::text[]) as kind
        ))
        or stream = any(array(
            select goal.stream
            from event as goal
            join placed on (goal.data ->> 'site_id')::bigint = placed.site_id::bigint
            where goal.type = 'goal-defined'
        ))
        or stream = any(array(
            select funnel.stream
            from event as funnel
            join placed on (funnel.data ->> 'site_id')::bigint = placed.site_id::bigint
            where funnel.type = 'funnel-defined'
        ))
    )
order by position
limit %(limit)s
