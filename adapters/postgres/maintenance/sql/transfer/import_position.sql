-- import_position
select position from hit_import where site_id = %(site_id)s and source = %(source)s
