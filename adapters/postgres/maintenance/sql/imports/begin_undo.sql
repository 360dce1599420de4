-- begin_undo
update site_import set state = 'undoing' where import_id = %(import_id)s
