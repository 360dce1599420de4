-- occurrences
with {known},
amount as (select coalesce(sum(occurrences), 0)::bigint as on_all_pages from known),
page as materialized (
    select position, occurred_at, session_id
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s
        and message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
    order by occurred_at desc, position desc
    limit %(limit)s offset %(offset)s
)
select on_all_pages, hit.*, page.session_id, session.user_id as session_user
from amount
left join page on true
left join hit on hit.position = page.position and hit.occurred_at = page.occurred_at
left join session on session.site_id = %(site_id)s and session.session_id = page.session_id
order by page.occurred_at desc, page.position desc
