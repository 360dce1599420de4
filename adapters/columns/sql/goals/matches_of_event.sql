-- matches_of_event
select {index} as goal, count(*) as sessions from (select distinct session_id from ({hits}) as hit where {condition})
