-- move
update site_import
set mark = %(mark)s, steps = steps + 1, state = 'running', changed_at = %(now)s
where import_id = %(import_id)s and steps = %(steps)s and state in ('running', 'stopped')
returning *
