-- data_since
select greatest(
    (select since from retained where site_id = %(site_id)s),
    (select min(bucket) from traffic_bucket where site_id = %(site_id)s)
) as since
