-- page_views
-- The first views of some pages in the selected sessions, as sessions that had not converted by then.
with {sessions}{owners},
view as (
    select session_id, coalesce(pathname, '') as page, min(occurred_at) as seen_at from {source} group by 1, 2
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
where selected.started_at >= %(start)s
group by 1, 2, 3, 4, 5
