-- refused
-- By the time of arrival, as outcomes are counted; a key may date events up to 30 days back and 5 minutes ahead. A hit belongs to
-- its visitor's latest session that began with it or before it in the log; sessions elsewhere in time have no hits in between.
with asked as materialized (
    select visitor_id, position, width_bucket(received_at, %(starts)s::timestamptz[]) as piece
    from hit
    where hit.site_id = %(site_id)s and occurred_at >= %(earliest)s and occurred_at < %(latest)s
        and received_at >= %(start)s and received_at < %(end)s
        and country = any(%(countries)s::text[]) and import_id is null and {selection/projected}
),
owner as (
    select
        visitor_id, session_id,
        lead(session_id, 1, 9223372036854775807) over (partition by visitor_id order by session_id) as until
    from session
    where session.site_id = %(site_id)s and started_at >= %(earliest)s::timestamptz - interval '24 hours'
        and started_at < %(latest)s and visitor_id in (select visitor_id from asked)
),
owned as materialized (
    select piece, session_id
    from asked
    join owner using (visitor_id)
    where position >= session_id and position < until
)
select piece, count(*) as hits, count(distinct session_id) as sessions from owned group by piece
union all
select 0, count(*), count(distinct session_id) from owned
