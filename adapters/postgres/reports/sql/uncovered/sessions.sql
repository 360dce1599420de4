-- sessions
-- The sessions that no file covers: of the days without files, and those that changed since their day was closed. One that
-- moved to a day without files is found there.
gap as materialized (
    select * from unnest(%(gap_starts)s::timestamptz[], %(gap_ends)s::timestamptz[]) as gap (since, until)
),
stretch as materialized ({stretches}),
selected as materialized (
    select session.*
    from (
        select session.*
        from gap
        cross join lateral (
            select *
            from session
            where session.site_id = %(site_id)s and started_at >= gap.since and started_at < gap.until
            offset 0
        ) as session
        union all
        select session.*
        from session
        where session.site_id = %(site_id)s and session_id = any(%(changed)s::bigint[])
            and not exists (select from gap where started_at >= gap.since and started_at < gap.until)
    ) as session
    where {conditions}
)
