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
select piece, who, arg_min(session_id, key) as session_id, min(key) as key, min("at") as "at" from matching group by all

-- name: next
select
    piece, who, arg_min(matching.session_id, matching.key) as session_id, min(matching.key) as key,
    any_value(until) as until
from before
join matching using (piece, who)
where matching.key > before.key and (until is null or matching."at" <= until)
group by piece, who

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
