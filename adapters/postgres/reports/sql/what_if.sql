-- What the log tells about a change.

-- name: arrived
-- views: selection/projected_hit
select
    hit.*,
    case %(attribute)s when 'country' then country when 'hostname' then hostname when 'pathname' then pathname end as value
from projected_hit as hit
where hit.site_id = %(site_id)s and occurred_at >= %(earliest)s and occurred_at < %(latest)s
    and received_at >= %(start)s and received_at < %(end)s and import_id is null

-- name: refused
-- views: arrived
-- By the time of arrival, as outcomes are counted; a key may date events up to 30 days back and 5 minutes ahead. A hit is in
-- the session of its visitor that spans its time.
with asked as materialized (
    select visitor_id, occurred_at, width_bucket(received_at, %(starts)s::timestamptz[]) as piece
    from arrived
    where value = any(%(values)s::text[]) and (%(attribute)s <> 'country' or location_source is distinct from 'time_zone')
),
owner as (
    select visitor_id, session_id, started_at, ended_at
    from session
    where session.site_id = %(site_id)s and started_at >= %(earliest)s::timestamptz - interval '24 hours'
        and started_at < %(latest)s and visitor_id in (select visitor_id from asked)
),
owned as materialized (
    select piece, session_id
    from asked
    join owner using (visitor_id)
    where occurred_at >= started_at and occurred_at <= ended_at
)
select piece, count(*) as hits, count(distinct session_id) as sessions from owned group by piece
union all
select 0, count(*), count(distinct session_id) from owned
