-- data_since_of_hits
-- The hits up to the position of a question about the past.
select greatest(bucket_of(occurred_at), (select since from retained where site_id = %(site_id)s)) as since
from earlier_hit
where site_id = %(site_id)s
order by occurred_at
limit 1
