-- found
-- Occurrences in chosen sessions are counted one by one.
found as materialized (
    select
        message_id, count(*) as occurrences, count(distinct session_id) as sessions, max(occurred_at) as last_seen
    from error_occurrence
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
    group by message_id
)
