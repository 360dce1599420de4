-- sessions_of_files
select * exclude (goals, goal_first, goal_last)
from read_parquet({files})
anti join hidden using (session_id)
union all by name
