-- erase_traffic_buckets
delete from traffic_bucket where site_id = %(site_id)s and bucket < %(before)s
