-- listed
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
