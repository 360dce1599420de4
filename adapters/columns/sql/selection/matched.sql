-- matched
select session_id
from read_parquet($hit_files)
where occurred_at >= $start and occurred_at < $end and {condition}
