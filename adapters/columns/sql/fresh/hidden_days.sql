-- hidden_days
-- Of a day that was closed anew the files hold no session as it is.
create or replace temp table of_stale_days as
select session_id
from read_parquet({files})
where date_trunc('day', started_at) in (select unnest($days::timestamptz[]))
