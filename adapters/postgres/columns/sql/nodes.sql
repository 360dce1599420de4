-- Nodes that hold files, and deleted sites whose files they have to sweep.

-- name: register
insert into column_node (node, seen_at) values (%(node)s, now())
on conflict (node) do update set seen_at = excluded.seen_at

-- name: leave
delete from column_node where node = %(node)s

-- name: due_sweeps
select deleted_site as site_id
from erasure
where due_at is not null
    -- The first round begins with the revocation of all versions; from then on none is given.
    and round > 0
    and not exists (
        select from column_sweep where column_sweep.deleted_site = erasure.deleted_site and node = %(node)s
    )
    and not exists (select from column_day where site_id = deleted_site and state = 'closed')
order by deleted_site

-- name: acknowledge
insert into column_sweep (deleted_site, node)
select unnest(%(site_ids)s::bigint[]), %(node)s
on conflict do nothing

-- name: due_removals
select erasure, site_id
from visitor_erasure
where step = 'sweeping'
    and not exists (
        select from visitor_sweep
        where visitor_sweep.erasure = visitor_erasure.erasure and visitor_sweep.node = %(node)s
    )
order by requested_at, erasure

-- name: acknowledge_removals
insert into visitor_sweep (erasure, site_id, node)
select erasure, site_id, %(node)s
from visitor_erasure
where erasure = any(%(erasures)s::uuid[]) and step = 'sweeping'
on conflict do nothing

-- name: note_export
insert into column_export (site_id, host, directory, exported_at)
values (%(site_id)s, %(host)s, %(directory)s, now())
on conflict (site_id, host, directory) do update set exported_at = excluded.exported_at

-- name: ask
update column_node set asked_at = statement_timestamp()

-- name: asked
select asked_at from column_node where node = %(node)s and asked_at > coalesce(answered_at, '-infinity')

-- name: answer
update column_node set answered_at = %(asked_at)s where node = %(node)s

-- name: unanswered
-- Nodes register every minute; one that has not done so for ten is down, or its store is idle.
select node
from column_node
where asked_at > coalesce(answered_at, '-infinity') and seen_at > now() - interval '10 minutes'
order by node

-- name: nodes
select node, seen_at, seen_at > now() - interval '1 day' as seen_lately from column_node order by node
