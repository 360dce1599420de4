-- page_of_selected
with {selection/selected}, {converted},
found as materialized (select selected.* from converted join selected using (session_id) where {chosen})
select page.*, total.count as total
from (select count(*) as count from found) as total
left join lateral (
    select * from found order by ended_at desc, session_id desc limit %(limit)s offset %(offset)s
) as page on true
order by page.ended_at desc, page.session_id desc
