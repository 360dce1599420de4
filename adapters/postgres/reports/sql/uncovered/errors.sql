-- errors
with {sessions},
occurrence as (
    select occurrence.*
    from stretch
    cross join lateral (
        select message_id, session_id, occurred_at
        from error_occurrence
        where error_occurrence.site_id = %(site_id)s
            and occurred_at >= stretch.since and occurred_at <= stretch.until
            and occurred_at >= %(start)s and occurred_at < %(end)s
        offset 0
    ) as occurrence
),
found as materialized (
    select
        message_id, count(*) as count, count(distinct session_id) as sessions, max(occurred_at) as last_seen
    from occurrence
    where session_id in (select session_id from selected)
    group by message_id
)
select message, found.count, found.sessions, found.last_seen
from found
join error_message on error_message.site_id = %(site_id)s and error_message.message_id = found.message_id
