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
{quarters}
order by started_at, session_id
