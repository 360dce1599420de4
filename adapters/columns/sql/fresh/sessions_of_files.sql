-- sessions_of_files
select *
from read_parquet({files})
anti join hidden using (session_id)
union all by name
