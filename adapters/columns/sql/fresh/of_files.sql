-- of_files
-- An attribute that is newer than a file is unknown in it.
union all by name
select *
from read_parquet({files}, union_by_name = true)
anti join hidden using (session_id)
{before}
