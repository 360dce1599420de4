-- forget_import
delete from site_import where import_id = %(import_id)s
