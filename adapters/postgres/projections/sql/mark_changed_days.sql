-- mark_changed_days
-- A hit lies within its session: the days of the session are those whose counts it can change, and the day on which the
-- visitor's next session starts, which now has another last visit before it. Hits that arrive in time have no
-- next session: where no later day has been counted, the search is skipped.
insert into day_summary_state as kept (site_id, day, state, changed_at)
with latest as materialized (
    select site_id, day
    from (select distinct site_id from session_delta) as site
    cross join lateral (
        select day
        from day_summary_state
        where day_summary_state.site_id = site.site_id and state in ('counting', 'counted')
        order by day desc
        limit 1
    ) as counted
)
select site_id, day, 'changed'::day_state, now()
from (
    select site_id, day_of(started_at) as day from session_delta
    union
    select site_id, day_of(ended_at) from session_delta
    union
    select session_delta.site_id, day_of(next.started_at)
    from session_delta
    join latest on latest.site_id = session_delta.site_id and latest.day > session_delta.ended_at
    cross join lateral (
        select min(its.started_at) as started_at
        from (
            select session.started_at
            from session
            where session.site_id = session_delta.site_id and session.visitor_id = session_delta.visitor_id
            offset 0
        ) as its
        where its.started_at > session_delta.ended_at
    ) as next
    where next.started_at is not null
) as touched
on conflict (site_id, day) do update set state = 'changed', changed_at = excluded.changed_at
where kept.state <> 'changed' or excluded.changed_at - kept.changed_at > interval '10 seconds'
