-- room
select count(*) filter (where release = %(release)s) as files, coalesce(sum(stored), 0)::bigint as stored
from source_map
where site_id = %(site_id)s and (release, file) <> (%(release)s, %(file)s)
