-- analyze
analyze changed_session, aside, past_session, past_conversion, past_error_session, pg_temp.traffic_bucket, pg_temp.conversion_bucket
