-- selected
-- The sessions of stretches of time; and of the others those that changed, and those around later hits, which are in quarters of
-- an hour with hits after the position: a hit can join or cut the sessions of its visitor that far away. One look each: their
-- number is not known when this is planned.
gap as materialized (
    select * from unnest({gap_starts}::timestamptz[], {gap_ends}::timestamptz[]) as gap (since, until)
),
touched as materialized (
    select unnest({changed}::bigint[]) as session_id
    union
    select around.session_id
    from quarter_position
    cross join lateral (
        select visitor_id, occurred_at
        from hit
        where hit.site_id = {site_id} and occurred_at >= quarter and occurred_at < quarter + interval '15 minutes'
            and position + 0 > {since} and position + 0 <= {position}
        offset 0
    ) as hit
    cross join lateral (
        select session_id
        from session
        where session.site_id = {site_id} and session.visitor_id = hit.visitor_id
            and started_at >= hit.occurred_at - interval '24 hours 30 minutes'
            and started_at <= hit.occurred_at + interval '24 hours 30 minutes'
        offset 0
    ) as around
    where quarter_position.site_id = {site_id} and last_position > {since} and {since} < {position}
        and quarter >= coalesce({near_start}::timestamptz, '-infinity')
        and quarter < coalesce({near_end}::timestamptz, 'infinity')
),
selected as materialized (
    select session.*
    from gap
    cross join lateral (
        select *
        from session
        where session.site_id = {site_id} and started_at >= gap.since and started_at < gap.until
        offset 0
    ) as session
    union all
    select session.*
    from touched
    cross join lateral (
        select *
        from session
        where session.site_id = {site_id} and session.session_id = touched.session_id
        offset 0
    ) as session
    where not exists (select from gap where started_at >= gap.since and started_at < gap.until)
)
