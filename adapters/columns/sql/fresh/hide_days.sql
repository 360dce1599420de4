-- hide_days
-- Of a day that was closed anew the files hold no session as it is.
insert into hidden
select session_id
from read_parquet({files})
where date_trunc('day', started_at) in (select unnest($days::timestamptz[]))
