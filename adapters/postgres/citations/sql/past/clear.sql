-- clear
truncate changed_session, aside, past_session, past_conversion, past_error_session, pg_temp.traffic_bucket,
    pg_temp.conversion_bucket, pg_temp.conversion_day, later_hit, slice, session_delta, matches, conversion_delta, regrouped,
    pg_temp.session, pg_temp.conversion
