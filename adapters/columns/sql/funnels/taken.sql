-- taken
{here} as materialized (
    select who, min(hit.key) as key, min(hit."at") as "at", any_value(entered_at) as entered_at
    from {before} as before
    join step_hit as hit on hit.{who} = before.who
    where hit.{flag} and hit.key > before.key and {in_time}
    group by who
)
