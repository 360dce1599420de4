-- register
insert into column_node (node, seen_at) values (%(node)s, now())
on conflict (node) do update set seen_at = excluded.seen_at
