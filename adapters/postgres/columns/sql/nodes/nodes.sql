-- nodes
select node, seen_at, seen_at > now() - interval '1 day' as seen_lately from column_node order by node
