-- stretches
-- Stretches of time with all hits of the sessions that no file covers.
select lower(span) as since, upper(span) as until
from (
    select unnest(range_agg(tstzrange(since, until, '[]'))) as span
    from (
        select since, greatest(until, last.ended_at) as until
        from gap
        left join lateral (
            select max(ended_at) as ended_at
            from session
            where session.site_id = %(site_id)s
                and started_at >= greatest(gap.since, gap.until - interval '24 hours') and started_at < gap.until
        ) as last on true
        union all
        select started_at, ended_at
        from session
        where session.site_id = %(site_id)s and session_id = any(%(changed)s::bigint[])
    ) as part
) as merged
