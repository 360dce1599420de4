-- new_of_selected
-- A page past the end has no rows, and the number of all messages nevertheless.
with {selection/selected}, {found},
young as materialized (
    {found_summaries}
    where message.first_seen >= %(start)s and message.first_seen < %(end)s
),
amount as (select count(*) as on_all_pages from young)
select on_all_pages, record.*
from amount
left join (
    select * from young order by first_seen desc, message collate "C" limit %(limit)s offset %(offset)s
) as record on true
order by first_seen desc, message collate "C"
