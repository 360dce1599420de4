-- complete
update site_import
set state = 'complete', changed_at = %(now)s
where import_id = %(import_id)s and steps = %(steps)s and state in ('running', 'stopped')
