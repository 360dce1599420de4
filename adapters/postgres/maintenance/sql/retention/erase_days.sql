-- erase_days
delete from day_summary_state
where site_id = %(site_id)s and day < %(before)s
    and not exists (
        select from traffic_bucket
        where traffic_bucket.site_id = day_summary_state.site_id
            and bucket >= day and bucket < day + interval '24 hours'
    )
