-- present_bucket
select * from {schema}.traffic_bucket where site_id = {site_id}
