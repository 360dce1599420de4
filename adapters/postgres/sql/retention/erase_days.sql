-- erase_days
delete from traffic_day
where site_id = %(site_id)s and day < %(before)s
    and not exists (
        select from traffic_bucket
        where traffic_bucket.site_id = traffic_day.site_id
            and bucket >= day and bucket < day + interval '24 hours'
    )
