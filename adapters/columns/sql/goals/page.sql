-- page
with found as materialized (
    select *
    from ({sessions}) as session
    where session_id in ({converted}) and {chosen}
)
select total.count, epoch_us(page.started_at), epoch_us(page.ended_at), {columns}
from (select count(*) as count from found) as total
left join (select * from found order by ended_at desc, session_id desc limit $limit offset $offset) as page on true
order by page.ended_at desc, page.session_id desc
