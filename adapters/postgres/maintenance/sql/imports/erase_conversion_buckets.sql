-- erase_conversion_buckets
delete from conversion_bucket
where site_id = %(site_id)s and number = any(array(select number from goal_version where site_id = %(site_id)s))
    and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
