-- of_files
union all by name
select *
from read_parquet({files})
anti join hidden using (session_id)
