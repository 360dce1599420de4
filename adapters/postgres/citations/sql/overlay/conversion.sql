-- conversion
-- What had ended before the first day of changed sessions is as it was.
select * from {schema}.conversion where site_id = {site_id} and ended_at < {changed_since}
union all
select * from {schema}.conversion
where site_id = {site_id} and ended_at >= {changed_since} and ended_at < {later_since}
    and session_id <= {last} and session_id not in (select session_id from changed_session)
union all
select * from past_conversion
