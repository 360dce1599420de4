-- page_of_converted_sessions
-- Of a period of at least a day: a session that converted before it and behind it cannot be.
with page as materialized (
    select session_id
    from conversion
    where site_id = %(site_id)s and number = %(number)s
        and ended_at >= %(start)s and ended_at < %(end)s::timestamptz + interval '24 hours'
        and first_at < %(end)s and last_at >= %(start)s
    order by ended_at desc, session_id desc
    limit %(limit)s offset %(offset)s
)
select session.*
from page
join session on session.site_id = %(site_id)s and session.session_id = page.session_id
order by session.ended_at desc, session.session_id desc
