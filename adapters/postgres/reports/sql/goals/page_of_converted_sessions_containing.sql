-- page_of_converted_sessions_containing
-- As page_of_converted_sessions; what is searched is kept with the sessions, so each that converted is looked at.
with found as materialized (
    select session.*
    from conversion
    join session using (site_id, session_id)
    where site_id = %(site_id)s and number = %(number)s
        and conversion.ended_at >= %(start)s and conversion.ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
        and {chosen}
)
select page.*, total.count as total
from (select count(*) as count from found) as total
left join lateral (
    select * from found order by ended_at desc, session_id desc limit %(limit)s offset %(offset)s
) as page on true
order by page.ended_at desc, page.session_id desc
