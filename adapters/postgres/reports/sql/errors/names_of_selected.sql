-- names_of_selected
-- A page past the end has no rows, and the number of all messages nevertheless.
with {selection/selected}, {found},
amount as (select count(*) as on_all_pages from found)
select on_all_pages, record.*
from amount
left join (
    {found_summaries}
    order by count desc, message collate "C"
    limit %(limit)s offset %(offset)s
) as record on true
order by count desc, message collate "C"
