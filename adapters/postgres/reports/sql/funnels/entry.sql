-- entry
taken_0 as materialized (
    select distinct on ({who}) {who} as who, session_id, occurred_at, position, occurred_at as entered_at
    from step_hit
    where step = 0
    order by {who}, occurred_at, position
)
