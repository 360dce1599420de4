-- step_hits
-- The hits that a step can be, each with the path of the next pageview in its session, as lists in one JSON text: rows would
-- take several times as long to be handed over.
with {sessions}, {breakdowns/owners}, {goals/matches}, {funnels/step_hit},
placed as materialized (
    select
        owner.session_id, inside.position, type, pathname,
        count(*) filter (where type = 'pageview') over (
            partition by owner.session_id order by inside.occurred_at, inside.position
        ) as views
    from inside
    join owner on owner.visitor_id = inside.visitor_id
        and inside.position >= owner.session_id and inside.position < owner.until
)
select json_build_object(
    'step', coalesce(json_agg(step), '[]'), 'session', coalesce(json_agg(step_hit.session_id), '[]'),
    'visitor', coalesce(json_agg(visitor_id), '[]'), 'position', coalesce(json_agg(step_hit.position), '[]'),
    'at', coalesce(json_agg((extract(epoch from step_hit.occurred_at) * 1000000)::bigint), '[]'),
    'next', coalesce(json_agg(next.path), '[]')
)::text as hits
from step_hit
join placed using (position)
left join (
    select session_id, views, coalesce(pathname, '') as path from placed where type = 'pageview'
) as next on next.session_id = placed.session_id and next.views = placed.views + 1
