-- write_error_sightings
insert into error_sighting (site_id, fingerprint, occurred_at, position, session_id, stack, release)
select site_id, fingerprint, occurred_at, slice.position, session_id, stack, release
from slice
join error_kind on error_kind.digest = {digest}
where type = 'error' and not again
