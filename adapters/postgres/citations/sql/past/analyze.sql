-- analyze
analyze changed_session, aside, past_session, past_conversion, pg_temp.traffic_bucket, pg_temp.conversion_bucket
