-- Source maps of sites.

-- name: lock
-- Uploads are counted one after the other; reads and the erasure of sites go on.
select pg_advisory_xact_lock(hashtextextended('source_map', %(site_id)s))

-- name: is_there
select digest from source_map
where site_id = %(site_id)s and release = %(release)s and file = %(file)s and digest = %(digest)s

-- name: room
select count(*) filter (where release = %(release)s) as files, coalesce(sum(stored), 0)::bigint as stored
from source_map
where site_id = %(site_id)s and (release, file) <> (%(release)s, %(file)s)

-- name: put
insert into source_map (site_id, release, file, digest, size, stored, code, map, uploaded_at)
values (
    %(site_id)s, %(release)s, %(file)s, %(digest)s, %(size)s, %(stored)s, %(code)s, %(map)s, %(now)s
)
on conflict (site_id, release, file) do update
set digest = excluded.digest, size = excluded.size, stored = excluded.stored, code = excluded.code, map = excluded.map,
    uploaded_at = excluded.uploaded_at

-- name: known
select release, file, digest
from unnest(%(releases)s::text[], %(files)s::text[]) as asked (release, file)
join source_map using (release, file)
where site_id = %(site_id)s

-- name: read
select digest, size, code, map
from source_map
where site_id = %(site_id)s and release = %(release)s and file = %(file)s

-- name: listed
-- A page past the end has no rows, and the numbers nevertheless.
with mine as materialized (
    select release, file, digest, size, stored, uploaded_at
    from source_map
    where site_id = %(site_id)s and (%(release)s::text is null or release = %(release)s)
)
select amount.*, page.*
from (select count(*) as files, coalesce(sum(stored), 0)::bigint as bytes from mine) as amount
left join (
    select * from mine
    order by uploaded_at desc, release collate "C", file collate "C"
    limit %(limit)s offset %(offset)s
) as page on true
order by uploaded_at desc, release collate "C", file collate "C"

-- name: with_maps
select release
from unnest(%(releases)s::text[]) as asked (release)
where exists (select from source_map where site_id = %(site_id)s and source_map.release = asked.release)

-- name: delete
delete from source_map
where site_id = %(site_id)s and release = %(release)s and (%(file)s::text is null or file = %(file)s)

-- name: forget
delete from source_map
where uploaded_at < %(cutoff)s
    or exists (
        select
        from unnest(%(sites)s::bigint[], %(cutoffs)s::timestamptz[]) as retention (site_id, cutoff)
        where retention.site_id = source_map.site_id and uploaded_at < retention.cutoff
    )
