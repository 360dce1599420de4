-- progress
-- Rows with a median, or without a path, count those who reached a step; the others those who viewed a path after they dropped
-- off. A path of a pageview may not be known; an array holds it, and null stands for those who left.
with {selection/selected}, {breakdowns/owners}, {goals/matches}, {step_hit},
{taken},
dropped as materialized ({dropped}),
viewed as (
    select distinct on (dropped.position) dropped.step, dropped.position, array[coalesce(inside.pathname, '')] as path
    from dropped
    join owner using (session_id)
    join inside on inside.visitor_id = owner.visitor_id
    where inside.type = 'pageview' and inside.position >= owner.session_id and inside.position < owner.until
        and (inside.occurred_at, inside.position) > (dropped.occurred_at, dropped.position)
    order by dropped.position, inside.occurred_at, inside.position
),
ranked as (
    select
        step, path, count(*) as count,
        row_number() over (
            partition by step, path is null order by count(*) desc, path[1] collate "C"
        ) as place
    from (select dropped.step, viewed.path from dropped left join viewed using (position)) as went
    group by step, path
)
select step, true as dropped, path[1] as path, count, null::interval as median from ranked where place <= {most}
union all
select step, false, path, count, median from ({reached}) as reached
