-- taken
{here} as materialized (
    select
        before.piece, who, arg_min(hit.session_id, hit.key) as session_id, min(hit.key) as key,
        any_value(entered_at) as entered_at
    from {before} as before
    join placed as hit on hit.{who} = before.who and hit.piece = before.piece
    where hit.{flag} and hit.key > before.key and {in_time}
    group by before.piece, who
)
