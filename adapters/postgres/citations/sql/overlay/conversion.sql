-- conversion
select * from {schema}.conversion
where site_id = {site_id} and session_id <= {traffic} and session_id not in (select session_id from changed_session)
union all
select * from past_conversion
