-- put
insert into source_map (site_id, release, file, digest, size, stored, code, map, uploaded_at)
values (
    %(site_id)s, %(release)s, %(file)s, %(digest)s, %(size)s, %(stored)s, %(code)s, %(map)s, %(now)s
)
on conflict (site_id, release, file) do update
set digest = excluded.digest, size = excluded.size, stored = excluded.stored, code = excluded.code, map = excluded.map,
    uploaded_at = excluded.uploaded_at
