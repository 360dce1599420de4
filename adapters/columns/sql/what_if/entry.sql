-- entry
{here} as materialized (
    select piece, {who} as who, arg_min(session_id, key) as session_id, min(key) as key, min("at") as entered_at
    from placed
    where {flag}
    group by piece, who
)
