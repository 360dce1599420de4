-- first_conversions
with {goals/matches},
first as (
    select hit.index, its.session_id, min(hit.position) as position
    from match as hit {selection/session_of_hit}
    group by 1, 2
),
special as (
    select position, {origin} as origin
    from hit
    where {selection/hits_inside} and position <= %(until)s
        and (import_id is not null or received_at - occurred_at > interval '5 minutes')
)
select
    index, width_bucket(position - 1, %(cuts)s::bigint[]) as stretch, coalesce(origin, 'events') as origin, count(*) as count
from first
left join special using (position)
group by 1, 2, 3
