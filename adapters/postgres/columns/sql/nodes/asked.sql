-- asked
select asked_at from column_node where node = %(node)s and asked_at > coalesce(answered_at, '-infinity')
