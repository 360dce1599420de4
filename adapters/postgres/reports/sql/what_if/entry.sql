-- entry
{here} as materialized (
    select distinct on (piece, {who}) piece, {who} as who, session_id, occurred_at, position, occurred_at as entered_at
    from placed
    where step = {step}
    order by piece, {who}, occurred_at, position
)
