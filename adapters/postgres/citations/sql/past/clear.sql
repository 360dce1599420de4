-- clear
truncate changed_session, aside, past_session, past_conversion, pg_temp.traffic_bucket, pg_temp.conversion_bucket,
    pg_temp.conversion_day, later_slice, slice, session_delta, matches, conversion_delta, pg_temp.session, pg_temp.conversion
