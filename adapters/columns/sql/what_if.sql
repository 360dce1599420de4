-- The steps before and after a change, taken in the same hits of files.

-- name: placed
-- Piece -1 is the whole period, the others are the indexes of its days.
with edge as (
    select unnest(places) as piece, unnest(from_json($edges, '["BIGINT"]')) as edge_at
    from (select range(len(from_json($edges, '["BIGINT"]'))) as places)
)
select -1 as piece, * from step_hit
union all
select edge.piece, step_hit.* from step_hit asof join edge on step_hit."at" >= edge.edge_at

-- name: first
select piece, {who} as who, arg_min(session_id, key) as session_id, min(key) as key, min("at") as entered_at
from placed
where step_{step}
group by 1, 2

-- name: next
select
    before.piece, before.who, arg_min(hit.session_id, hit.key) as session_id, min(hit.key) as key,
    any_value(entered_at) as entered_at
from {before} as before
join placed as hit on hit.piece = before.piece and hit.{who} = before.who
where hit.step_{step} and hit.key > before.key and ({within} is null or hit."at" <= entered_at + {within})
group by before.piece, before.who

-- name: compare
-- Rows with a piece are its counts; the others are the sessions that only one of the two counts has.
with completed as materialized (
    select false as after, piece, session_id, key from completed_before
    union all
    select true, piece, session_id, key from completed_after
),
sided as (
    select session_id, bool_or(after) as after, max(key) as key
    from completed
    where piece = -1
    group by session_id
    having count(distinct after) = 1
),
ranked as (
    select
        after, session_id, count(*) over (partition by after) as total,
        row_number() over (partition by after order by key desc) as place
    from sided
)
select
    piece, count(*) filter (where not after) as before, count(*) filter (where after) as after, null::boolean as gained,
    null::bigint as session_id, null::bigint as total, null::bigint as place
from completed
group by piece
union all
select null, null, null, after, session_id, total, place from ranked where place <= $most
order by place
