-- erase_error_buckets
delete from error_bucket
where site_id = %(site_id)s and message_id = any(%(message_ids)s) and bucket < %(before)s
