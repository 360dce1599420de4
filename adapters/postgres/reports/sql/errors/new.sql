-- new
-- A page past the end has no rows, and the number of all messages nevertheless.
with youngest as materialized (
    select message_id, occurrences, last_seen
    from error_message
    where site_id = %(site_id)s and first_seen >= %(start)s and first_seen < %(end)s
    order by first_seen desc, "left"(message, 500) collate "C", message collate "C"
    limit %(limit)s offset %(offset)s
),
straddling as materialized (select message_id from youngest where last_seen >= %(end)s),
{counted}, {total},
page as materialized (
    select message_id, coalesce(counted.occurrences, youngest.occurrences) as occurrences, counted.sessions
    from youngest
    left join counted using (message_id)
),
amount as materialized (
    select {new_messages} as on_all_pages
)
select on_all_pages, record.*
from amount
left join ({summaries}) as record on true
order by first_seen desc, message collate "C"
