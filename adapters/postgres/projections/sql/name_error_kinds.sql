-- name_error_kinds
update error_kind
set fingerprint = made.fingerprint, stack = made.stack
from unnest(%(positions)s::bigint[], %(fingerprints)s::text[], %(stacks)s::bigint[])
    as made (position, fingerprint, stack)
where error_kind.position = made.position
