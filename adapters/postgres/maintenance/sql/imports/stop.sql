-- stop
-- An import that another process has moved on meanwhile runs again with its next piece.
update site_import set state = 'stopped', changed_at = %(now)s where import_id = %(import_id)s and state = 'running'
