-- hide_days
insert into hidden
select session_id
from read_parquet({files})
where date_trunc('day', started_at) in (select unnest($days::timestamptz[]))
