-- data_since_of_hits
select greatest(bucket_of(min(occurred_at)), (select since from retained where site_id = %(site_id)s)) as since
from hit
where site_id = %(site_id)s
having min(occurred_at) is not null
