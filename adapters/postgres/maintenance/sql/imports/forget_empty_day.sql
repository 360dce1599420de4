-- forget_empty_day
delete from day_summary_state
where site_id = %(site_id)s and day = %(since)s::timestamptz
    and not exists (
        select from traffic_bucket
        where traffic_bucket.site_id = day_summary_state.site_id
            and bucket >= %(since)s::timestamptz and bucket < %(until)s::timestamptz
    )
