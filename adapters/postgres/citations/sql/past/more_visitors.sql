-- more_visitors
-- How many more visitors pieces had than they have now: of the visitors of changed sessions those with a session in the piece
-- as it was, without those with one as it is. Pieces follow each other between edges. `session` is the present table.
with visitor as materialized (
    select distinct session.visitor_id
    from changed_session
    join session on session.site_id = %(site_id)s and session.session_id = changed_session.session_id
),
visit as (
    select
        its.visitor_id, its.started_at, its.ended_at, changed_session.session_id is null as was, true as is_now
    from visitor
    -- One look each.
    cross join lateral (
        select session_id, visitor_id, started_at, ended_at
        from session
        where site_id = %(site_id)s and session.visitor_id = visitor.visitor_id
            and started_at < %(end)s and ended_at >= %(start)s
        offset 0
    ) as its
    left join changed_session using (session_id)
    union all
    select visitor_id, started_at, ended_at, true, false
    from past_session
    where started_at < %(end)s and ended_at >= %(start)s
)
select piece, count(*) filter (where was) - count(*) filter (where is_now) as visitors
from (
    select piece, visitor_id, bool_or(was) as was, bool_or(is_now) as is_now
    from visit
    cross join lateral generate_series(
        greatest(width_bucket(started_at, %(edges)s::timestamptz[]), 1),
        least(width_bucket(ended_at, %(edges)s::timestamptz[]), %(pieces)s::integer)
    ) as piece
    group by piece, visitor_id
) as visiting
group by piece
