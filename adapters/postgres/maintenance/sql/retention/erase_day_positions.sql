-- erase_day_positions
delete from day_position
where site_id = %(site_id)s and day < %(before)s
    and not exists (
        select from traffic_bucket
        where traffic_bucket.site_id = day_position.site_id and bucket >= day and bucket < day + interval '24 hours'
    )
