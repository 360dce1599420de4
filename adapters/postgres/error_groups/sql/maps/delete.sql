-- delete
delete from source_map
where site_id = %(site_id)s and release = %(release)s and (%(file)s::text is null or file = %(file)s)
