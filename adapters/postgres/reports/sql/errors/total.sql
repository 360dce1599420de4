-- total
total as materialized (
    select (
        select coalesce(sum(errors), 0)
        from traffic_bucket
        where site_id = %(site_id)s and bucket >= %(quarters_start)s and bucket < %(quarters_end)s
    )::bigint + (
        select count(*)
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(quarters_start)s
    ) + (
        select count(*)
        from error_occurrence
        where site_id = %(site_id)s and occurred_at >= %(quarters_end)s and occurred_at < %(end)s
    ) as occurrences
)
