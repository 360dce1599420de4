-- Sessions of closed days whose pages have got measures.

-- name: measured_sessions
-- views: measured as measure
-- with: intake/measures/pageview
-- The sessions, by their days, of the pageviews that the measures of a slice name. A pageview of the same slice is in it itself, and
-- one that is stored later is a hit of its slice then: only days that files hold have to be told. Sessions of all other days are
-- brought by their measures.
select site_id, day, array_agg(distinct session_id) as session_ids
from (
    select pageview.site_id, own.session_id, day_of(own.started_at) as day
    from pageview
    -- Nearly all are of today: their sessions need not be looked for.
    cross join lateral (
        select
        from column_day
        where column_day.site_id = pageview.site_id and state = 'closed'
            and day >= day_of(pageview.occurred_at) - interval '24 hours' and day <= day_of(pageview.occurred_at)
        limit 1
    ) as closed
    cross join lateral (
        select session_id, started_at
        from session
        where session.site_id = pageview.site_id and session.visitor_id = pageview.visitor_id
            and session.started_at <= pageview.occurred_at
        order by session.started_at desc
        limit 1
    ) as own
    where pageview.position <= %(up_to)s
) as measured
join column_day using (site_id, day)
where state = 'closed'
group by site_id, day
order by site_id, day

-- name: measured
select position, site_id, pageview_key, received_at
from engagement
where position > %(after)s and position <= %(up_to)s
offset 0

-- name: note_sessions
-- Returned, since a store that is divided among nodes counts those that were there already among the inserted ones.
insert into column_change (site_id, day, session_id)
select %(site_id)s, %(day)s, session_id from unnest(%(session_ids)s::bigint[]) as session_id
on conflict do nothing
returning session_id

-- name: count_changes
update column_day
set changes = changes + %(added)s, changed_at = now()
where site_id = %(site_id)s and day = %(day)s
