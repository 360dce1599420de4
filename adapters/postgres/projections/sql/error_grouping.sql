-- Sightings of errors, by fingerprints that the domain makes.

-- name: collect_error_kinds
-- Equal reports of a slice have one fingerprint, which is made once.
insert into error_kind (digest, position)
select md5(row(slice.event_name, slice.properties)::text)::uuid, min(position)
from slice
where type = 'error' and not again
group by 1

-- name: read_error_kinds
select slice.position, slice.event_name, slice.properties
from error_kind
join slice on slice.position = error_kind.position
where error_kind.position > %(after)s
order by error_kind.position
limit %(limit)s

-- name: name_error_kinds
update error_kind
set fingerprint = made.fingerprint, stack = made.stack
from unnest(%(positions)s::bigint[], %(fingerprints)s::text[], %(stacks)s::bigint[])
    as made (position, fingerprint, stack)
where error_kind.position = made.position

-- name: write_error_sightings
insert into error_sighting (site_id, fingerprint, occurred_at, position, session_id, stack, release)
select site_id, fingerprint, occurred_at, slice.position, session_id, stack, release
from slice
join error_kind on error_kind.digest = md5(row(slice.event_name, slice.properties)::text)::uuid
where type = 'error' and not again
