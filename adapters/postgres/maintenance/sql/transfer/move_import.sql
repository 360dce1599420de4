-- move_import
update hit_import
set position = %(reached)s
where site_id = %(site_id)s and source = %(source)s and position = %(after)s
