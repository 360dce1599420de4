-- names_containing_of_selected
-- A page past the end has no rows, and the number of all messages with the text nevertheless.
with {selection/selected}, {found},
named as materialized (
    {found_summaries}
    where {asked}
),
amount as (select count(*) as on_all_pages from named)
select on_all_pages, record.*
from amount
left join (
    select * from named order by count desc, message collate "C" limit %(limit)s offset %(offset)s
) as record on true
order by count desc, message collate "C"
