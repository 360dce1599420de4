-- erase_conversion_buckets
delete from conversion_bucket where site_id = %(site_id)s and bucket < %(before)s
