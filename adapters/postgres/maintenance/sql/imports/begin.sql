-- begin
insert into site_import as known (site_id, format, source_key, source, state, started_at, changed_at)
values (%(site_id)s, %(format)s, %(source_key)s, %(source)s, 'running', %(now)s, %(now)s)
on conflict (site_id, format, source_key) do update
set source = excluded.source, state = 'running', changed_at = excluded.changed_at
where known.state <> 'undoing'
returning *
