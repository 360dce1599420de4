-- views
-- The first views of some pages in the selected sessions, as sessions that had not converted by then.
with {sessions},
view as (
    select its.session_id, coalesce(hit.pathname, '') as page, min(hit.occurred_at) as seen_at
    from hit
    cross join lateral (
        select session_id
        from session
        where session.site_id = hit.site_id and session.visitor_id = hit.visitor_id and session_id <= hit.position
        order by session_id desc
        limit 1
    ) as its
    where hit.site_id = %(site_id)s and hit.type = 'pageview'
        and hit.occurred_at >= %(start)s and hit.occurred_at < %(end)s::timestamptz + interval '24 hours'
        and coalesce(hit.pathname, '') = any(%(pages)s::text[])
        and hit.position + 0 <= (select position from projection_checkpoint where name = 'reports')
    group by 1, 2
)
select
    {stretch} as stretch, (selected.started_at at time zone 'UTC')::date as day,
    coalesce(selected.entry_page, '') as entry_page, selected.device_type, view.page,
    count(*) filter (where conversion.first_at is null or conversion.first_at > seen_at) as sessions,
    count(*) filter (where conversion.first_at > seen_at) as converted
from view
join selected using (session_id)
left join conversion on conversion.site_id = %(site_id)s and conversion.number = %(number)s
    and conversion.session_id = selected.session_id
group by 1, 2, 3, 4, 5
