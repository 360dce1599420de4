-- read
select digest, size, code, map
from source_map
where site_id = %(site_id)s and release = %(release)s and file = %(file)s
