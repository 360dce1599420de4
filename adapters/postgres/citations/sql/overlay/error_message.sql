-- error_message
select * from {schema}.error_message
where site_id = {site_id} and message_id not in (select message_id from later_error union select message_id from changed_error_session)
union all
select * from past_error_message
