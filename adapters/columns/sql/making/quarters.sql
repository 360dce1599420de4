-- quarters
-- What sessions that touch several quarters of an hour have in each.
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
            from {hits}
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
