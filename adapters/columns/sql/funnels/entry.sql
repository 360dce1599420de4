-- entry
taken_0 as materialized (
    select {who} as who, min(key) as key, min("at") as "at", min("at") as entered_at from step_hit where step_0 group by 1
)
