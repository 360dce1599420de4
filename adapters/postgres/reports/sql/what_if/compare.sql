-- compare
-- Piece 0 is the whole period, the others are its days. Rows with a piece are its counts; the others are the sessions that only
-- one of the two counts has, each with the number of such sessions.
with {selection/selected}, {breakdowns/owners}, {goals/matches}, {funnels/step_hit},
placed as materialized (
    select 0 as piece, * from step_hit
    union all
    select width_bucket(occurred_at, %(starts)s::timestamptz[]), * from step_hit
),
{taken},
completed as materialized (
    select false as after, piece, session_id, occurred_at, position from {last_before}
    union all
    select true, piece, session_id, occurred_at, position from {last_after}
),
sided as (
    select
        session_id, bool_or(after) as after, max(occurred_at) as occurred_at, max(position) as position
    from completed
    where piece = 0
    group by session_id
    having count(distinct after) = 1
),
ranked as (
    select
        after, session_id, count(*) over (partition by after) as total,
        row_number() over (partition by after order by occurred_at desc, position desc) as place
    from sided
)
select
    piece, count(*) filter (where not after) as before, count(*) filter (where after) as after,
    null::boolean as gained, null::bigint as session_id, null::bigint as total, null::bigint as place
from completed
group by piece
union all
select null, null, null, after, session_id, total, place from ranked where place <= {most}
order by place
