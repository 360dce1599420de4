-- buckets_of_selected
with {selection/selected}
select width_bucket(occurred_at, %(edges)b::timestamptz[]) as piece, count(*) as count
from error_occurrence
where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
    and (
        %(any)s
        or message_id = (select message_id from error_message where site_id = %(site_id)s and digest = {digest})
    )
group by 1
