-- sessions
-- Sessions that touch several quarters of an hour hold what they have in each.
select
    session.*, quarters, quarter_pageviews, quarter_custom_events,
    coalesce(goals, []) as goals, coalesce(goal_first, []) as goal_first, coalesce(goal_last, []) as goal_last
from sessions as session
left join (
    select
        session_id, list(number order by number) as goals, list(first_at order by number) as goal_first,
        list(last_at order by number) as goal_last
    from conversions
    group by session_id
) as converted using (session_id)
left join (
    select
        session_id, list(quarter order by quarter) as quarters, list(pageviews order by quarter) as quarter_pageviews,
        list(custom_events order by quarter) as quarter_custom_events
    from (
        select
            session_id, time_bucket(interval '15 minutes', occurred_at) as quarter,
            (count(*) filter (where type = 'pageview'))::integer as pageviews,
            (count(*) filter (where type = 'custom_event'))::integer as custom_events
        from read_parquet($hits)
        semi join (
            select session_id
            from sessions
            where time_bucket(interval '15 minutes', started_at)
                < time_bucket(interval '15 minutes', ended_at)
        ) as longer using (session_id)
        group by all
    )
    group by session_id
) as touched using (session_id)
order by started_at, session_id
