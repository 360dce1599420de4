-- counted
-- The counts of straddling messages. Whole days are read for all messages at once, since others have few rows there; a
-- message of a single day does not straddle whole days. The rest is read message by message: in a quarter of an hour a
-- million others may have rows. The comparison of two parameters skips a piece that is empty.
counted as materialized (
    select message_id, sum(occurrences)::bigint as occurrences, sum(sessions)::bigint as sessions
    from (
        select message_id, whole.occurrences, whole.sessions
        from unnest(
            %(span_days)s::integer[], %(span_starts)s::timestamptz[], %(span_ends)s::timestamptz[]
        ) as span (days, since, until)
        cross join lateral (
            select message_id, occurrences, sessions
            from error_span
            where error_span.site_id = %(site_id)s and error_span.days = span.days
                and error_span.since >= span.since and error_span.since < span.until
            offset 0
        ) as whole
        union all
        select message_id, part.occurrences, part.sessions
        from straddling
        cross join lateral (
            select occurrences, sessions
            from error_bucket
            where error_bucket.site_id = %(site_id)s and error_bucket.message_id = straddling.message_id
                and bucket >= %(quarters_start)s and bucket < %(days_start)s
                and %(quarters_start)s::timestamptz < %(days_start)s
            union all
            select occurrences, sessions
            from error_bucket
            where error_bucket.site_id = %(site_id)s and error_bucket.message_id = straddling.message_id
                and bucket >= %(days_end)s and bucket < %(quarters_end)s
                and %(days_end)s::timestamptz < %(quarters_end)s
            union all
            select 1, 0
            from error_occurrence
            where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = straddling.message_id
                and occurred_at >= %(start)s and occurred_at < %(quarters_start)s
                and %(start)s::timestamptz < %(quarters_start)s
            union all
            select 1, 0
            from error_occurrence
            where error_occurrence.site_id = %(site_id)s and error_occurrence.message_id = straddling.message_id
                and occurred_at >= %(quarters_end)s and occurred_at < %(end)s
                and %(quarters_end)s::timestamptz < %(end)s
            offset 0
        ) as part
    ) as parts
    group by message_id
    having message_id in (select message_id from straddling)
)
