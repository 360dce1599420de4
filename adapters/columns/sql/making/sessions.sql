-- sessions
-- Sessions that touch several quarters of an hour hold what they have in each. Lists of rows are put in order once: lists of
-- their own with an order each took four times as long.
select
    session.*, quarters, quarter_pageviews, quarter_custom_events,
    coalesce(goals, []) as goals, coalesce(goal_first, []) as goal_first, coalesce(goal_last, []) as goal_last
from sessions as session
left join (
    select
        session_id, [one.number for one in rows_of_session] as goals, [one.first_at for one in rows_of_session] as goal_first,
        [one.last_at for one in rows_of_session] as goal_last
    from (
        select session_id, list_sort(list({{number: number, first_at: first_at, last_at: last_at}})) as rows_of_session
        from conversions
        group by session_id
    )
) as converted using (session_id)
left join (
    select
        session_id, [one.quarter for one in rows_of_session] as quarters,
        [one.pageviews for one in rows_of_session] as quarter_pageviews,
        [one.custom_events for one in rows_of_session] as quarter_custom_events
    from (
        select
            session_id,
            list_sort(list({{quarter: quarter, pageviews: pageviews, custom_events: custom_events}})) as rows_of_session
        from (
            select
                session_id, time_bucket(interval '15 minutes', occurred_at) as quarter,
                (count(*) filter (where type = 'pageview'))::integer as pageviews,
                (count(*) filter (where type = 'custom_event'))::integer as custom_events
            from read_parquet($hits)
            semi join (
                select session_id
                from sessions
                where time_bucket(interval '15 minutes', started_at) < time_bucket(interval '15 minutes', ended_at)
            ) as longer using (session_id)
            group by all
        )
        group by session_id
    )
) as touched using (session_id)
order by started_at, session_id
