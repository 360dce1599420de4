-- leave
delete from column_node where node = %(node)s
