-- taken
-- The first hit after that of the step before, in the same piece.
{here} as materialized (
    select distinct on (before.piece, who)
        before.piece, who, hit.session_id, hit.occurred_at, hit.position, entered_at
    from {before} as before
    join placed as hit on hit.{who} = before.who and hit.piece = before.piece
    where hit.step = {step} and (hit.occurred_at, hit.position) > (before.occurred_at, before.position) and {in_time}
    order by before.piece, who, hit.occurred_at, hit.position
)
