-- next_error_history
select
    after_site, after_message, after_time::text as after_time, after_position, up_to,
    piece.site_id as last_site, piece.message_id as last_message, piece.occurred_at as last_time,
    piece.position as last_position
from error_history
left join lateral (
    select site_id, message_id, occurred_at, position
    from (
        select site_id, message_id, occurred_at, position
        from error_occurrence
        where (site_id, message_id, occurred_at, position) > (after_site, after_message, after_time, after_position)
        order by site_id, message_id, occurred_at, position
        limit %(size)s
    ) as those
    order by site_id desc, message_id desc, occurred_at desc, position desc
    limit 1
) as piece on true
