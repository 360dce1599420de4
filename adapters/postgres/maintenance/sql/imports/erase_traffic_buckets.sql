-- erase_traffic_buckets
delete from traffic_bucket
where site_id = %(site_id)s and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
