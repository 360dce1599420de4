-- taken
-- The first hit after that of the step before. One row each of those who took it is joined with the hits.
{here} as materialized (
    select distinct on (who) who, hit.session_id, hit.occurred_at, hit.position, entered_at
    from {before} as before
    join step_hit as hit on hit.{who} = before.who
    where hit.step = {step} and (hit.occurred_at, hit.position) > (before.occurred_at, before.position) and {in_time}
    order by who, hit.occurred_at, hit.position
)
