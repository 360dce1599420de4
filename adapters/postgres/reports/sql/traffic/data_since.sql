-- data_since
select greatest(min(bucket), (select since from retained where site_id = %(site_id)s)) as since
from traffic_bucket
where site_id = %(site_id)s
having min(bucket) is not null
