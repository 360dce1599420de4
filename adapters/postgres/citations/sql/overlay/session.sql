-- session
-- Before the first day of changed sessions, all are as they were. The sum keeps the planner from looking for the next session
-- of a visitor among all sessions up to the last one.
select * from {schema}.session where site_id = {site_id} and started_at < {changed_since}
union all
select * from {schema}.session
where site_id = {site_id} and started_at >= {changed_since} and started_at < {later_since}
    and session_id + 0 <= {last} and session_id not in (select session_id from changed_session)
union all
select * from past_session
