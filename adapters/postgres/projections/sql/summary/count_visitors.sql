-- count_visitors
-- Quarters are numbered from the beginning of the day, those before it are negative.
insert into counted_visitors (site_id, day, open_at_start, starts, arrivals, recent, earlier)
with present as materialized (
    select distinct visitor_id
    from session
    where site_id = %(site_id)s
        and started_at >= %(day)s and started_at < %(day)s::timestamptz + interval '24 hours'
),
known as (
    select
        started_at,
        max(ended_at) over (
            partition by visitor_id
            order by started_at, session_id
            rows between unbounded preceding and 1 preceding
        ) as last_seen_at
    from present
    -- One look each: most of the sessions are others'.
    cross join lateral (
        select session_id, started_at, ended_at
        from session
        where session.site_id = %(site_id)s and session.visitor_id = present.visitor_id
            and started_at < %(day)s::timestamptz + interval '24 hours'
        offset 0
    ) as its
),
started as (
    select
        floor(date_part('epoch', started_at - %(day)s::timestamptz) / 900)::integer as quarter,
        floor(date_part('epoch', last_seen_at - %(day)s::timestamptz) / 900)::integer as last_seen
    from known
    where started_at >= %(day)s
),
first as materialized (
    select quarter, last_seen from started where last_seen is null or last_seen < quarter
),
-- A session of the day before can reach into it, and one of the day out of it.
reaching as materialized (
    select
        visitor_id,
        floor(date_part('epoch', started_at - %(day)s::timestamptz) / 900)::integer as first_quarter,
        floor(date_part('epoch', ended_at - %(day)s::timestamptz) / 900)::integer as last_quarter
    from session
    where site_id = %(site_id)s
        and started_at >= %(day)s::timestamptz - interval '24 hours'
        and started_at < %(day)s::timestamptz + interval '24 hours'
        and ended_at >= %(day)s
),
open_at_start as materialized (
    select quarter, count(distinct visitor_id)::integer as visitors
    from reaching
    cross join lateral generate_series(greatest(first_quarter + 1, 0), least(last_quarter, 95)) as quarter
    group by quarter
),
starting as materialized (
    select quarter, count(*)::integer as sessions from first group by quarter
)
select
    %(site_id)s, %(day)s,
    (
        select array_agg(coalesce(visitors, 0) order by quarter)
        from generate_series(0, 95) as quarter
        left join open_at_start using (quarter)
    ),
    (
        select array_agg(coalesce(sessions, 0) order by quarter)
        from generate_series(0, 95) as quarter
        left join starting using (quarter)
    ),
    (select count(*) from first where last_seen is null or last_seen < 0),
    array(
        select quarter * 128 + quarter - last_seen as place
        from first
        where quarter - last_seen <= 99
        order by place
    ),
    array(
        select -last_seen * 96 + quarter as place
        from first
        where last_seen < 0
        order by place
    )
