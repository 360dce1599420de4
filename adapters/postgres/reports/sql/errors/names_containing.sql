-- names_containing
-- All messages of the site are compared with the text, whenever they were seen.
with {known}, {total},
amount as (select count(*) as on_all_pages from known),
page as materialized (
    select message_id, known.occurrences, known.sessions
    from known
    join error_message using (message_id)
    where site_id = %(site_id)s
    order by known.occurrences desc, message collate "C"
    limit %(limit)s offset %(offset)s
)
select on_all_pages, record.*
from amount
left join ({summaries}) as record on true
order by count desc, message collate "C"
