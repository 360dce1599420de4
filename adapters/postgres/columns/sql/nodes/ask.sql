-- ask
update column_node set asked_at = clock_timestamp() where %(except_node)s::uuid is null or node <> %(except_node)s
