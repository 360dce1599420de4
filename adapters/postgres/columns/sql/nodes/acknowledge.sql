-- acknowledge
insert into column_sweep (deleted_site, node)
select unnest(%(site_ids)s::bigint[]), %(node)s
on conflict do nothing
