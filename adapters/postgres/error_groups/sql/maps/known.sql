-- known
select release, file, digest
from unnest(%(releases)s::text[], %(files)s::text[]) as asked (release, file)
join source_map using (release, file)
where site_id = %(site_id)s
