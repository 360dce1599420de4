-- is_there
select digest from source_map
where site_id = %(site_id)s and release = %(release)s and file = %(file)s and digest = %(digest)s
