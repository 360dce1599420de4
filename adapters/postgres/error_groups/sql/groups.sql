-- groups
-- Merged fingerprints count for the group that they are part of. A page past the end has no rows, and the numbers nevertheless.
with {selected}
merged as materialized (
    select fingerprint, owner from unnest(%(fingerprints)s::text[], %(owners)s::text[]) as part (fingerprint, owner)
),
met as materialized (
    select coalesce(owner, fingerprint) as owner, session_id, count(*) as occurrences
    from error_sighting
    left join merged using (fingerprint)
    where site_id = %(site_id)s and occurred_at >= %(start)s and occurred_at < %(end)s and {of_selected}
    group by 1, 2
),
counted as materialized (
    select owner, sum(occurrences)::bigint as count, count(*) as session_count from met group by owner
),
chosen as materialized (
    select * from counted where (owner = any(%(chosen)s::text[])) <> %(but)s and {searched}
),
amount as (
    select (select coalesce(sum(count), 0) from counted)::bigint as total, (select count(*) from chosen) as on_all_pages
)
select amount.*, page.*
from amount
left join (
    select owner, count, session_count, {measure} as measure
    from chosen
    order by measure desc, owner collate "C"
    limit %(limit)s offset %(offset)s
) as page on true
order by measure desc, owner collate "C"
