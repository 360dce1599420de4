-- Digests by which persons are recognised who had an account before.

-- name: add_former_proofs
insert into former_proof (digest)
select unnest(%(digests)s::bytea[])
on conflict do nothing

-- name: holds_former_proof
select exists (select from former_proof where digest = any(%(digests)s::bytea[])) as held
