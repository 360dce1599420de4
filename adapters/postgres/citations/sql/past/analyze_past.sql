-- analyze_past
analyze changed_session, changed_day, past_session, past_conversion, past_message, traffic_bucket, conversion_bucket, conversion_day
