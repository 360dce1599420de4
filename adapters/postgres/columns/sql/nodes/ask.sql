-- ask
update column_node set asked_at = clock_timestamp()
