-- first_hits
-- Visitors without later hits are in no difference.
with later as materialized (
    select distinct visitor_id
    from hit
    where {selection/hits_inside} and position > %(since)s and position <= %(until)s
),
inside as materialized (
    select site_id, visitor_id, position, type, {origin} as origin
    from hit
    where {selection/hits_inside} and position <= %(until)s and visitor_id in (select visitor_id from later)
),
first as (
    select 'pageviews' as figure, position, origin from inside where type = 'pageview'
    union all
    select 'events', position, origin from inside where type = 'custom_event'
    union all
    select * from (
        select distinct on (its.session_id) 'sessions', position, origin
        from inside as hit {selection/session_of_hit}
        order by its.session_id, position
    ) as of_sessions
    union all
    select * from (
        select distinct on (visitor_id) 'visitors', position, origin from inside order by visitor_id, position
    ) as of_visitors
)
select figure, width_bucket(position - 1, %(cuts)s::bigint[]) as stretch, origin, count(*) as count
from first
group by 1, 2, 3
