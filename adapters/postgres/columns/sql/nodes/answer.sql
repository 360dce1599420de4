-- answer
update column_node set answered_at = %(asked_at)s where node = %(node)s
